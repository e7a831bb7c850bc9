import type { MessageCall, Content } from '../model/chat-message.ts'

/** A message in a run's history, independent of the protocol. Plain data, never changed after its first use. */
export type Message = SystemMessage | UserMessage | AssistantMessage | ResultsMessage

/** Instructions for the model. */
export interface SystemMessage {
  readonly role: 'system'
  /** Of the messages at the start: the tools are described at `{{tools}}`, or else at the end. */
  readonly content: string
}

/** A prompt from the user. */
export interface UserMessage {
  readonly role: 'user'
  readonly content: Content
}

/** A reply of the model. */
export interface AssistantMessage {
  readonly role: 'assistant'
  readonly content: string
  readonly calls?: readonly MessageCall[]
  /**
   * The id of the protocol in which `content` contains all calls, exactly as the model wrote them. If it is missing, the
   * calls are not in `content`: they are printed after it, or sent as calls.
   */
  readonly protocol?: string
}

/** The results of a turn's calls, in order, and notes from the run to the model. */
export interface ResultsMessage {
  readonly role: 'results'
  readonly results: readonly CallResult[]
  /** Sent unchanged: quotes in a note must already be neutralized. */
  readonly notes?: readonly string[]
  /** The notes are results that were printed before, such as those of an earlier conversation: their role is that of results. */
  readonly printed?: true
}

/** The result of a call. */
export interface CallResult {
  readonly call: MessageCall
  /** The text for the model: untrusted and not yet neutralized. */
  readonly output: string
  /** The tool's return value, if it is more than text: a protocol prints it in place of `output`. Just as untrusted. */
  readonly data?: unknown
  readonly failed?: true
  /** The outcome of the call, if known. */
  readonly status?: CallStatus
  /** The id of the earlier call that it repeats. */
  readonly repeats?: string
  /** The call itself was invalid, and the model should write it again. */
  readonly invalid?: true
  /** It was refused only because it was not written in the selected protocol. The model gets an example. */
  readonly otherProtocol?: true
}

/**
 * The outcome of a call. `cancelled`: it never started. `unknown`: it started, but its outcome is unknown. `duplicate`:
 * it repeats an earlier call. `cut_off`: the reply ended before the call did. `not_run`: there were too many calls, or
 * no more calls were allowed.
 */
export type CallStatus =
  | 'success'
  | 'error'
  | 'denied'
  | 'cancelled'
  | 'timeout'
  | 'unknown'
  | 'duplicate'
  | 'cut_off'
  | 'not_run'
