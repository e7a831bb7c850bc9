import type { Finish, ToolDefinition } from '@toolglot/core'
import type { ChatMessage } from './chat-message.ts'
import type { ModelPrice, Usage } from './usage.ts'

/** Something that turns messages into text. */
export interface Model {
  /** Its name, such as `qwen3:8b`: for people, and to tell which protocol it writes. */
  readonly name: string
  /** Who serves it, such as `ollama`: for people. */
  readonly provider?: string
  /** Tells the protocol better than the name does, where it is known. */
  readonly chatTemplate?: string
  /** How many tokens it can see at once. */
  readonly contextTokens?: number
  /** Roles it has beside user and assistant; both, if not told. What it lacks is told in others. */
  readonly roles?: readonly ('system' | 'tool')[]
  /** It has function calling of its own, which is used unless a protocol is named. */
  readonly native?: boolean
  readonly price?: ModelPrice
  /** How many tokens a text is, exactly. */
  countTokens?(text: string, signal: AbortSignal): Promise<number>
  /** One reply as it comes. It ends with a `finish`, or it was cut off; it fails with a ModelError. */
  reply(request: ModelRequest): AsyncIterable<ModelChunk>
}

export interface ModelRequest {
  readonly messages: readonly ChatMessage[]
  /** Only for function calling of the model's own; else they are in the messages. */
  readonly tools?: readonly ToolDefinition[]
  readonly stop?: readonly string[]
  readonly maxTokens?: number
  readonly temperature?: number
  /** Without a byte for so long, in milliseconds, it has failed; what the connection is told, if not here. */
  readonly idleTimeout?: number
  /** For the whole reply, likewise. */
  readonly timeout?: number
  readonly signal: AbortSignal
}

/** A piece of a reply. */
export type ModelChunk =
  | { readonly type: 'text'; readonly delta: string }
  | { readonly type: 'reasoning'; readonly delta: string }
  /** Of a call that the model made by function calling of its own: `delta` is more of its arguments' JSON. */
  | {
      readonly type: 'call'
      readonly index: number
      readonly id?: string
      readonly name?: string
      readonly delta?: string
    }
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'finish'; readonly finish: Finish }
