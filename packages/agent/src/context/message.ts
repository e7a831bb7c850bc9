import type { MessageCall } from '../model/chat-message.ts'

/** A message as a run keeps it, whatever the protocol. Plain data. */
export type Message = SystemMessage | UserMessage | AssistantMessage | ResultsMessage

export interface SystemMessage {
  readonly role: 'system'
  /** `{{tools}}` in it is where the tools are told of; else they are told of behind it. */
  readonly content: string
}

export interface UserMessage {
  readonly role: 'user'
  readonly content: string
}

export interface AssistantMessage {
  readonly role: 'assistant'
  /** To the letter as the model wrote it, calls and all. */
  readonly content: string
  readonly calls?: readonly MessageCall[]
  /** The id of the protocol that the model was to write. */
  readonly protocol?: string
  /** The calls were made by function calling of the model's own: they are not in `content`. */
  readonly native?: true
}

/** What became of the calls of a turn, in their order; and what the run itself has to say to the model. */
export interface ResultsMessage {
  readonly role: 'results'
  readonly results: readonly CallResult[]
  /** Told to the letter: what they quote of others is made inert by who writes them. */
  readonly notes?: readonly string[]
}

export interface CallResult {
  readonly call: MessageCall
  /** What the model reads: untrusted text, not yet made inert. */
  readonly output: string
  readonly failed?: true
  /** The call itself was wrong: the model is asked to write it again. */
  readonly invalid?: true
}
