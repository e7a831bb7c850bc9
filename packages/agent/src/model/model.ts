import type { Finish, ToolDefinition } from '@toolglot/core'
import type { ChatMessage } from './chat-message.ts'
import type { ModelPrice, Usage } from './usage.ts'

/** A language model: anything that turns messages into text. */
export interface Model {
  /** Its name, such as `qwen3:8b`: shown to people, and used to choose its protocol. */
  readonly name: string
  /** Who serves it, such as `ollama`: shown to people. */
  readonly provider?: string
  /** How it is named in settings and on the command line, such as `ollama/qwen3:8b`. */
  readonly reference?: string
  /** Its chat template, if known: it identifies the protocol more reliably than the name. */
  readonly chatTemplate?: string
  /** The size of its context window, in tokens. */
  readonly contextTokens?: number
  /** The roles it supports besides user and assistant (default: both). Other roles are sent in place of missing ones. */
  readonly roles?: readonly ('system' | 'tool')[]
  /** Whether it has native function calling. It is used unless a protocol is selected. */
  readonly native?: boolean
  readonly price?: ModelPrice
  /** Counts the tokens of a text with the model's own tokenizer. */
  countTokens?(text: string, signal: AbortSignal): Promise<number>
  /** Streams one reply. It ends with a `finish` chunk unless it was cut off, and fails with a ModelError. */
  reply(request: ModelRequest): AsyncIterable<ModelChunk>
}

/** What a model is asked to reply to. */
export interface ModelRequest {
  readonly messages: readonly ChatMessage[]
  /** For native function calling only; otherwise the tools are described in the messages. */
  readonly tools?: readonly ToolDefinition[]
  readonly stop?: readonly string[]
  readonly maxTokens?: number
  readonly temperature?: number
  /** How long the model may send nothing, in milliseconds (default: the connection's). */
  readonly idleTimeout?: number
  /** How long the whole reply may take, in milliseconds (default: the connection's). */
  readonly timeout?: number
  readonly signal: AbortSignal
}

/** A piece of a streamed reply. */
export type ModelChunk =
  | { readonly type: 'text'; readonly delta: string }
  | { readonly type: 'reasoning'; readonly delta: string }
  /** Part of a native call: `delta` is the next part of its arguments' JSON. */
  | {
      readonly type: 'call'
      readonly index: number
      readonly id?: string
      readonly name?: string
      readonly delta?: string
    }
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'finish'; readonly finish: Finish }
