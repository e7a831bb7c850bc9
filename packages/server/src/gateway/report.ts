import type { Usage } from '@toolglot/agent'

/** What became of a request to the gateway: for logs and metrics. It contains nothing that a client or a model wrote. */
export interface GatewayReport {
  /** The API's path, such as `/v1/chat/completions`. */
  readonly path: string
  /** The model that the request named, if there is one with that name. */
  readonly model?: string
  /** The protocol it was asked to write; `native` for its own function calling. */
  readonly protocol?: string
  readonly stream: boolean
  /** `aborted`: the client went away. */
  readonly outcome: 'answer' | 'calls' | 'cut_off' | 'error' | 'aborted'
  /** The code of the error that the client was sent. */
  readonly error?: string
  /** What the error says, for the log: of an upstream error, more than the client was told. */
  readonly message?: string
  readonly calls: number
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
  /** What was left out or changed, such as `tools-compact` or `dropped:web_search`. */
  readonly notes: readonly string[]
}
