import type { Operation } from '../decide/operation.ts'

/** The commands of a shell text. */
export interface ShellScript {
  /**
   * Every simple command at any depth, in the order of the text: in lists, pipelines, subshells, control flow, functions,
   * substitutions, here-documents, and wrappers (`timeout 5 git status` is two: itself, and `git status`).
   */
  readonly commands: readonly ShellCommand[]
  /** The files and pages that its redirections, operands and `cd`s use. */
  readonly operations: readonly Operation[]
  /** Why the text can't be analyzed as a whole: a parse error, deceptive characters, too long. No rule allows it then. */
  readonly doubts: readonly string[]
  /** The folders that its commands run in, as far as they are known. */
  readonly folders: readonly string[]
  /** The text to run, printed from what was judged. Undefined if it can't be printed. */
  readonly runs?: string
  /** Why it can't be printed. */
  readonly unprinted?: string
}

/** A simple command in a shell text. */
export interface ShellCommand {
  /** As written in the text. */
  readonly text: string
  /** For people: its words, if some of them are the names of files that a pattern stands for. */
  readonly shown?: string
  /** Its words without quotes; undefined for a word that is unknown until it runs. */
  readonly words: readonly (string | undefined)[]
  /** Why it may do something other than its words say: an expansion, a glob, an assignment. Only an exact rule allows it then. */
  readonly doubts: readonly string[]
  /** Why it does more than its program's name says, such as running other code or writing: `find -delete`. */
  readonly reach?: string
  /** The last word that is responsible: a rule that names all words up to it allows it. Undefined: only the whole command does. */
  readonly reachWord?: number
  /** The words that are URLs: a rule that names one of them doesn't cover others. */
  readonly addresses?: readonly number[]
  /** All words as written, if `words` leaves out some that only say where or in which version it runs. */
  readonly written?: readonly (string | undefined)[]
  /** The words without options of a wrapper that change nothing: `xargs -0 grep` is `xargs grep`. */
  readonly shorter?: readonly (string | undefined)[]
  /** It only runs the command inside it, which is listed too: `timeout 5 …`. Deny rules check both, allow rules only that one. */
  readonly wraps?: boolean
  /** The command that runs this one. A rule that allows that one with all it does allows this one too. */
  readonly within?: ShellCommand
  /** It has no effect (`cd`, `true`, `[[ … ]]`), so it needs no rule, but one may deny it. */
  readonly idle?: boolean
  /** It runs code that isn't in the text: a script, a program in some folder. If there are deny rules, `Bash(*)` doesn't cover it. */
  readonly opaque?: boolean
  /** It runs in another folder and reads settings there, which no rule for the command covers. */
  readonly elsewhere?: boolean
  /** It has input, from a pipe or a file, which may be more than data to it. */
  readonly fed?: boolean
  /** It may be a command if the text is parsed differently. Only deny and ask rules check it. */
  readonly guess?: boolean
}
