import type { Usage } from '@toolglot/agent'

/** A request to the gateway that was read. It contains nothing of the conversation. */
export interface ReadRequest {
  /** The API, such as `chat-completions`. */
  readonly api: string
  /** The API's path, such as `/v1/chat/completions`. */
  readonly path: string
  /** The model that the client asked for, in its own words. */
  readonly requestedModel?: string
  /** The model that the request named, if there is one with that name. */
  readonly model?: string
  /** The model that was asked. */
  readonly usedModel?: string
  /** The protocol it was asked to write; `native` for its own function calling. */
  readonly protocol?: string
  readonly stream: boolean
  /** How many tools the client offered. */
  readonly tools: number
}

/** The outcome of a request to the gateway. Except for `message`, it contains no prompt, no reply and no arguments. */
export interface GatewayReport extends ReadRequest {
  /** `aborted`: the client went away. */
  readonly outcome: 'answer' | 'calls' | 'cut_off' | 'error' | 'aborted'
  /** The code of the error that the client was sent. */
  readonly error?: string
  /** The error message for the log, with more detail of an upstream error than the client gets. It may quote anything. */
  readonly message?: string
  /** The error message without any text of the request, the reply or the model's server. */
  readonly summary?: string
  readonly calls: number
  /** The names of the tools that were called, of the first calls. */
  readonly callNames: readonly string[]
  /** The names of the repairs, of all calls. */
  readonly repairs: readonly string[]
  /** How many calls could not be read. */
  readonly malformed: number
  /** How often the model was asked again. */
  readonly retries: number
  readonly usage?: Usage
  /** Until the first piece of the reply, in milliseconds. */
  readonly firstByte?: number
  readonly duration: number
  /** Names of what was left out or changed, such as `tools-compact` or `dropped:web_search`. */
  readonly notes: readonly string[]
}
