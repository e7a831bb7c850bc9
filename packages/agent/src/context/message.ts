import type { MessageCall, Content } from '../model/chat-message.ts'

/**
 * A message in the history of a run, independent of the protocol. Plain data that must not be
 * changed after its first use.
 */
export type Message = SystemMessage | UserMessage | AssistantMessage | ResultsMessage

/** Instructions for the model. */
export interface SystemMessage {
  readonly role: 'system'
  /**
   * In the first system messages, `{{tools}}` is replaced by the description of the tools. Without
   * it, the description comes last.
   */
  readonly content: string
}

/** A prompt from the user. */
export interface UserMessage {
  readonly role: 'user'
  readonly content: Content
}

/** A reply from the model. */
export interface AssistantMessage {
  readonly role: 'assistant'
  readonly content: string
  readonly calls?: readonly MessageCall[]
  /**
   * The id of the protocol of `content`, if that contains all calls exactly as the model wrote
   * them. If missing, `content` has no calls: they are printed after it, or sent as native calls.
   */
  readonly protocol?: string
}

/** The results of a turn's calls, in order, and notes from the run for the model. */
export interface ResultsMessage {
  readonly role: 'results'
  readonly results: readonly CallResult[]
  /** Sent unchanged, so quotations in a note must already be neutralized. */
  readonly notes?: readonly string[]
  /**
   * The notes are results printed before, for example in an earlier conversation, and get the role
   * of results.
   */
  readonly printed?: true
}

/** The result of a call. */
export interface CallResult {
  readonly call: MessageCall
  /** The text for the model. Untrusted, and not yet neutralized. */
  readonly output: string
  /**
   * The value returned by the tool, if it is more than text. Protocols that support it print it
   * instead of `output`. Also untrusted.
   */
  readonly data?: unknown
  readonly failed?: true
  /** The outcome of the call, if known. */
  readonly status?: CallStatus
  /** The id of the earlier call that this call repeats. */
  readonly repeats?: string
  /** True if the call was invalid and the model should write it again. */
  readonly invalid?: true
  /**
   * The call was rejected only because it was not written in the selected protocol. The model gets
   * an example.
   */
  readonly otherProtocol?: true
}

/**
 * The outcome of a call. `cancelled`: it never started. `unknown`: it started, but its outcome is
 * unknown. `duplicate`: it repeats an earlier call. `cut_off`: the reply ended in the middle of the
 * call. `not_run`: there were too many calls, or no more calls were allowed.
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
