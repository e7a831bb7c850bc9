import type { Message } from '../../context/message.ts'
import type { Model } from '../../model/model.ts'
import type { TokenCounter } from '../../model/token-counter.ts'
import type { Usage } from '../../model/usage.ts'
import type { GivenRules } from '../approval/given-rules.ts'
import type { CallState } from '../calls/call-state.ts'
import type { RunOptions } from '../options.ts'
import type { Arrival, RecordedCompaction } from '../resume/history.ts'
import type { SentPrompt } from '../turn/sent-prompt.ts'
import type { Inbox } from './inbox.ts'

/** The state of a run in progress. Everything that changes can be restored from the journal. */
export interface LoopState extends CallState {
  readonly options: RunOptions
  readonly model: Model
  readonly counter: TokenCounter
  readonly inbox: Inbox
  /** What was given for this run only. It is part of the permissions. */
  readonly given: GivenRules | undefined
  messages: readonly Message[]
  /** What the model was sent last, and what it replied. */
  prompt: SentPrompt
  /** The history was shortened since the last turn. */
  isCompacted: boolean
  /** What came from outside so far, in the order in which it was recorded. */
  readonly arrivals: Arrival[]
  /** The compactions of the history so far, by their keys. */
  readonly compactions: Map<string, RecordedCompaction>
  /** The last turn was one without tools, which asked for an answer at a limit. */
  hadFinalTurn: boolean
  /** What the ids of calls begin with. */
  idPrefix: string
  usage: Usage
  /** The model's last visible text. */
  text: string
  /** The note that asked for an answer at a limit, and the answer. */
  finalMessages: readonly Message[]
}
