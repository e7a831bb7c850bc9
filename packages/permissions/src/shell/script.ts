import type { Operation } from '../decide/operation.ts'

/** What a shell text would run, found without running it. */
export interface ShellScript {
  /**
   * Every simple command at any depth, in the order of the text: in lists, pipelines, subshells, control flow, functions,
   * substitutions, here-documents, and behind wrappers (`timeout 5 git status` is two: itself, and `git status`).
   */
  readonly commands: readonly ShellCommand[]
  /** The files and pages its redirects, operands and `cd`s touch. */
  readonly operations: readonly Operation[]
  /** Why the text as a whole cannot be proved: a parse error, odd characters, too long. Then nothing of it is allowed. */
  readonly doubts: readonly string[]
}

export interface ShellCommand {
  /** As it stands in the text. */
  readonly text: string
  /** The words it is made of, quotes taken off; undefined where one cannot be told before it runs. */
  readonly words: readonly (string | undefined)[]
  /** Why it is not the plain command its words make: an expansion, a glob, an assignment. Then a rule must be exact, or it asks. */
  readonly doubts: readonly string[]
  /** A form of its program that runs other code or writes where no rule for the program says so: `find -delete`. */
  readonly reach?: string
  /** The last word that reaches so: a rule that writes down all words up to it means it. Undefined: only the whole will do. */
  readonly reachWord?: number
  /** The words that are addresses on the web: a rule that names one does not mean others. */
  readonly addresses?: readonly number[]
  /** It only runs the command inside it, which is listed too: `timeout 5 …`. A deny looks at both, an allow at that one. */
  readonly wraps?: boolean
  /** The command that runs this one: a rule that allows that one, reach and all, allows this one too. */
  readonly within?: ShellCommand
  /** It does nothing by itself (`cd`, `true`, `[[ … ]]`): it needs no rule, though one may forbid it. */
  readonly idle?: boolean
  /** It runs code that the text does not show: a script, a program in some folder. Where rules deny, `Bash(*)` does not mean it. */
  readonly opaque?: boolean
  /** It runs in another folder, whose settings it obeys: no rule for the command means that. */
  readonly elsewhere?: boolean
  /** It may be a command, if the text is read another way: only rules that deny or ask look at it. */
  readonly guess?: boolean
}
