import type { DecisionPart, NetworkNotice, RuleSuggestion, RunCode } from '@toolglot/permissions'
import type { Question } from '../tool/question.ts'

/** Something that a run waits for: the approval of a call, or the answers to questions. */
export type PendingRequest = PendingApproval | PendingQuestion

interface Pending {
  readonly run: string
  /** What `Journal.answer` is called with. */
  readonly key: string
  /** The id of the call. */
  readonly call: string
  /** The tool that was called, by the name that the model used. */
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  /** Since when it waits, in milliseconds since 1970. */
  readonly since: number
}

/** A call that waits for approval. */
export interface PendingApproval extends Pending {
  readonly type: 'approval'
  /** Everything that the call does, with the verdict on it and the reason. */
  readonly parts: readonly DecisionPart[]
  /** The shell text to run instead of the call's: see `Decision.runs`. */
  readonly runs?: string
  /** Why the shell text runs as written: see `Decision.unprinted`. Show it to the approver. */
  readonly unprinted?: string
  /** The code that the call may run: see `Decision.code`. Show it to the approver. */
  readonly code?: RunCode
  /** For each part that needs approval: the rule that "always" would add, or why there is none. */
  readonly suggestions: readonly RuleSuggestion[]
  /** When it counts as denied, in milliseconds since 1970. */
  readonly expires?: number
  /** What the call can reach over the network. Missing if nothing limits that. */
  readonly network?: NetworkNotice
}

/** A call that waits for answers to its questions. */
export interface PendingQuestion extends Pending {
  readonly type: 'question'
  readonly questions: readonly Question[]
}
