import type { Finish } from '@toolglot/core'
import type { FetchJson } from '../find/json-client.ts'
import type { ModelRequest } from '../model.ts'
import type { Usage } from '../usage.ts'

/** How a kind of server completes a prompt. */
export interface CompletionApi {
  /** The name of the server, for people. */
  readonly name: string
  /** The path to which a prompt is posted. */
  readonly path: string
  /** The body of a request. */
  bodyOf(input: CompletionInput): Readonly<Record<string, unknown>>
  /** Reads an event, or a line, or a whole response. */
  read(event: Readonly<Record<string, unknown>>, stop: readonly string[]): CompletionEvent
  /** Counts the tokens of a text; undefined if the server does not. */
  countTokens?(fetchJson: FetchJson, model: string, text: string): Promise<number | undefined>
}

/** What is asked of a server. */
export interface CompletionInput {
  readonly prompt: string
  /** The model's name on the server. */
  readonly model: string
  readonly stop: readonly string[]
  /** How many tokens may be written if the request does not say. */
  readonly room: number
  /** Marks that may be special tokens, which the server would leave out. */
  readonly marks: readonly string[]
  readonly request: ModelRequest
}

/** A piece of a reply. */
export interface CompletionEvent {
  readonly text?: string
  readonly finish?: Finish | undefined
  /** The text at which the server says that it stopped. */
  readonly stoppedAt?: string | undefined
  readonly usage?: Usage | undefined
}
