import type { Operation } from '../decide/operation.ts'

/** The commands of a shell text. */
export interface ShellScript {
  /**
   * Every simple command at any depth, in the order of the text: in lists, pipelines, subshells,
   * control flow, functions, substitutions, here-documents and wrappers (`timeout 5 git status`
   * counts as two: the whole, and `git status`).
   */
  readonly commands: readonly ShellCommand[]
  /** The files and pages used by redirections, operands and `cd`. */
  readonly operations: readonly Operation[]
  /**
   * Reasons why the text as a whole can't be analyzed: a parse error, deceptive characters, too
   * long. Then no rule allows it.
   */
  readonly doubts: readonly string[]
  /** The folders that commands run in, as far as known. */
  readonly folders: readonly string[]
  /** The text to run, printed from the judged commands. Undefined if it can't be printed. */
  readonly runs?: string
  /** The reason why it can't be printed. */
  readonly unprinted?: string
}

/** A simple command in a shell text. */
export interface ShellCommand {
  /** The original text. */
  readonly text: string
  /** The words for display, if some of them are file names from a pattern. */
  readonly shown?: string
  /** The words without quotes. Undefined for a word that is unknown until it runs. */
  readonly words: readonly (string | undefined)[]
  /**
   * Reasons why it may do something other than its words suggest: an expansion, a glob, an
   * assignment. Then only an exact rule allows it.
   */
  readonly doubts: readonly string[]
  /**
   * The reason why it does more than its program's name suggests, such as running other code or
   * writing: `find -delete`.
   */
  readonly reach?: string
  /**
   * The index of the last word behind that reason: a rule with all words up to it allows the
   * command. Undefined if only a rule for the whole command does.
   */
  readonly reachWord?: number
  /**
   * The indexes of words that are URLs. A rule that contains one of them doesn't cover other URLs.
   */
  readonly addresses?: readonly number[]
  /** All original words, if `words` lacks some that only select the folder or version. */
  readonly written?: readonly (string | undefined)[]
  /** The words without irrelevant options of a wrapper: `xargs -0 grep` is `xargs grep`. */
  readonly shorter?: readonly (string | undefined)[]
  /**
   * True if it only runs the command inside it, which is listed separately: `timeout 5 …`. Deny
   * rules check both, allow rules only the inner one.
   */
  readonly wraps?: boolean
  /**
   * The command that runs this one. A rule that allows the outer command with everything it does
   * also allows this one.
   */
  readonly within?: ShellCommand
  /** True if it has no effect (`cd`, `true`, `[[ … ]]`), so it needs no rule but can be denied. */
  readonly idle?: boolean
  /**
   * True if it runs code that isn't in the text: a script, or a program in some folder. If there
   * are deny rules, `Bash(*)` doesn't cover it.
   */
  readonly opaque?: boolean
  /**
   * True if it runs in another folder and reads settings there, which no rule for the command
   * covers.
   */
  readonly elsewhere?: boolean
  /** True if it has input from a pipe or a file that may be more than data to it. */
  readonly fed?: boolean
  /**
   * True if it is a command only if the text is parsed differently. Only deny and ask rules check
   * it.
   */
  readonly guess?: boolean
}
