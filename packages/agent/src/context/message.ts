import type { MessageCall } from '../model/chat-message.ts'

/** A message in a run's history, independent of the protocol. Plain data. */
export type Message = SystemMessage | UserMessage | AssistantMessage | ResultsMessage

/** Instructions for the model. */
export interface SystemMessage {
  readonly role: 'system'
  /** The tools are described at `{{tools}}`, or else at the end. */
  readonly content: string
}

/** A prompt from the user. */
export interface UserMessage {
  readonly role: 'user'
  readonly content: string
}

/** A reply of the model. */
export interface AssistantMessage {
  readonly role: 'assistant'
  /** Exactly what the model wrote, including its calls. */
  readonly content: string
  readonly calls?: readonly MessageCall[]
  /** The id of the protocol that the model was asked to use. */
  readonly protocol?: string
  /** The calls were made through native function calling: they are not in `content`. */
  readonly native?: true
}

/** The results of a turn's calls, in order, and notes from the run to the model. */
export interface ResultsMessage {
  readonly role: 'results'
  readonly results: readonly CallResult[]
  /** Sent unchanged: whoever writes a note neutralizes what it quotes. */
  readonly notes?: readonly string[]
}

/** The result of a call. */
export interface CallResult {
  readonly call: MessageCall
  /** The text for the model: untrusted and not yet neutralized. */
  readonly output: string
  readonly data?: unknown
  readonly failed?: true
  /** The call itself was invalid: the model is asked to write it again. */
  readonly invalid?: true
}
