import type { ShellCommand } from '../shell/script.ts'
import type { Operation } from './operation.ts'
import type { Rule, Verdict } from '../rule/rule.ts'

/** The verdict on one part of a call, and why. */
export interface DecisionPart {
  /** The action of the part, for people to read: a simple command, `read .env`, `fetch https://go.dev`. */
  readonly what: string
  readonly verdict: Verdict
  /**
   * The reason, for people and for the model: a phrase in lower case without a period, to be put after `what` and a colon.
   */
  readonly why: string
  /** The rule that decided it, if one did. */
  readonly rule?: Rule
  /** The command or operation that was judged. */
  readonly subject?: ShellCommand | Operation
  /** The real path of the file that was judged. */
  readonly real?: string
  /** It needs approval, and is denied because nobody can be asked. */
  readonly unasked?: true
  /** It asks only because no rule covers it: it isn't protected, and is in the workspace or on the public web. */
  readonly unspoken?: boolean
  /** It asks even if it is what an allowed command is for. */
  readonly firm?: true
  /** It asks because of how the call was written, whatever the call does. */
  readonly doubted?: true
}

/** Code that a call may run besides its own text. An approval holds for this code as it is when the person is asked. */
export interface RunCode {
  /** It may run any code in its folders. Otherwise only what is known: the hooks and settings of a repository. */
  readonly anything: boolean
  /** The folders that it runs in, as far as they are known. */
  readonly folders: readonly string[]
  /** The files of code that its words name, once a person is asked. */
  readonly files?: readonly string[]
}

/** The verdict on a call: that of its strictest part, with all parts. */
export interface Decision extends DecisionPart {
  readonly parts: readonly DecisionPart[]
  /** The call that was decided on, with the tool's own name and argument names. Undefined if the call is invalid. */
  readonly call?: { readonly name: string; readonly args: Readonly<Record<string, unknown>> }
  /**
   * The shell text to run instead of the call's, in bash: printed from the commands that were judged. Undefined if the call
   * has no shell text, or if it can't be printed.
   */
  readonly runs?: string
  /** Why the shell text can't be printed. No rule allows it then; if a person does, it runs as written. */
  readonly unprinted?: string
  /** The code that the call may run, if it needs approval. */
  readonly code?: RunCode
  /** A rule or the call is invalid: it doesn't run, and nobody can approve it. */
  readonly error?: string
}
