import type { Usage } from '@toolglot/agent'

/** A parsed request to the gateway, without any part of the conversation. */
export interface ReadRequest {
  /** The API, such as `chat-completions`. */
  readonly api: string
  /** The API's path, such as `/v1/chat/completions`. */
  readonly path: string
  /** The requested model, as written by the client. */
  readonly requestedModel?: string
  /** The requested model's name, if there is such a model. */
  readonly model?: string
  /** The model that was used. */
  readonly usedModel?: string
  /** The protocol in the prompt, or `native` for the model's own function calling. */
  readonly protocol?: string
  readonly stream: boolean
  /** The number of tools offered by the client. */
  readonly tools: number
}

/**
 * The outcome of a request to the gateway. Except for `message`, it contains no prompt, reply or
 * arguments.
 */
export interface GatewayReport extends ReadRequest {
  /** `aborted`: the client disconnected. */
  readonly outcome: 'answer' | 'calls' | 'cut_off' | 'error' | 'aborted'
  /** The error code sent to the client. */
  readonly error?: string
  /**
   * The error message for the log, with more detail about an upstream error than the client gets.
   * It may quote arbitrary data.
   */
  readonly message?: string
  /** The error message without any text from the request, the reply or the model's server. */
  readonly summary?: string
  readonly calls: number
  /** The names of the called tools, for the first calls. */
  readonly callNames: readonly string[]
  /** The names of the repairs, for all calls. */
  readonly repairs: readonly string[]
  /** The number of malformed calls. */
  readonly malformed: number
  /** The number of retries. */
  readonly retries: number
  readonly usage?: Usage
  /** The time until the first piece of the reply, in milliseconds. */
  readonly firstByte?: number
  readonly duration: number
  /** Codes for omissions and changes, such as `tools-compact` or `dropped:web_search`. */
  readonly notes: readonly string[]
}
