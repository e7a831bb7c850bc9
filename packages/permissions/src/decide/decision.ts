import type { ShellCommand } from '../shell/script.ts'
import type { Operation } from './operation.ts'
import type { Rule, Verdict } from '../rule/rule.ts'

/** The verdict on one part of a call, and its reason. */
export interface DecisionPart {
  /**
   * A description of the part's action for people: a simple command, `read .env`, `fetch
   * https://go.dev`.
   */
  readonly what: string
  readonly verdict: Verdict
  /**
   * The reason, for people and for the model: a phrase in lower case without a period, which
   * follows `what` and a colon.
   */
  readonly why: string
  /** The rule behind the verdict, if any. */
  readonly rule?: Rule
  /** The command or operation that was judged. */
  readonly subject?: ShellCommand | Operation
  /** The real path of the file that was judged. */
  readonly real?: string
  /** True if the part needs approval but is denied because no person can approve it. */
  readonly unasked?: true
  /**
   * True if approval is needed only because no rule covers the part: it isn't protected, and is in
   * the workspace or on the public web.
   */
  readonly unspoken?: boolean
  /** True if approval is needed even if this is the purpose of an allowed command. */
  readonly firm?: true
  /** True if approval is needed because of the call's form, regardless of its effect. */
  readonly doubted?: true
}

/**
 * Code that a call may run in addition to its own text. An approval covers only the version of this
 * code at the time of the request.
 */
export interface RunCode {
  /**
   * True if the call may run any code in its folders. Otherwise it runs only known code: the hooks
   * and settings of a repository.
   */
  readonly anything: boolean
  /** The folders that the call runs in, as far as known. */
  readonly folders: readonly string[]
  /** The code files to which its words refer. Set for approval requests. */
  readonly files?: readonly string[]
}

/** The verdict on a call, which is the verdict on its strictest part, together with all parts. */
export interface Decision extends DecisionPart {
  readonly parts: readonly DecisionPart[]
  /** The call with its tool's own name and argument names. Undefined if the call is invalid. */
  readonly call?: { readonly name: string; readonly args: Readonly<Record<string, unknown>> }
  /**
   * The shell text to run in bash instead of the call's text, printed from the judged commands.
   * Undefined if the call has no shell text or it can't be printed.
   */
  readonly runs?: string
  /**
   * The reason why the shell text can't be printed. Then no rule allows it, and after approval it
   * runs as written.
   */
  readonly unprinted?: string
  /** The code that the call may run, if it needs approval. */
  readonly code?: RunCode
  /** Set if a rule or the call is invalid. The call doesn't run and can't be approved. */
  readonly error?: string
}
