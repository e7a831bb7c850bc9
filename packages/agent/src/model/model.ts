import type { Finish, Protocol, Schema, ToolDefinition } from '@toolglot/core'
import type { ChatMessage } from './chat-message.ts'
import type { ModelPrice, Usage } from './usage.ts'

/** What is known about a model: what it can do, and what it costs. */
export interface ModelFacts {
  /** Its chat template, if known: it identifies the protocol more reliably than the name. */
  readonly chatTemplate?: string
  /** The size of its context window, in tokens. */
  readonly contextTokens?: number
  /** How to get a larger context window, for people: a sentence such as "Restart it with -c 8192.". */
  readonly contextAdvice?: string
  /** The roles it supports besides user and assistant (default: both). Other roles are sent in place of missing ones. */
  readonly roles?: readonly ('system' | 'tool')[]
  /** Whether it has native function calling. It is used unless a protocol is selected. */
  readonly native?: boolean
  /**
   * Its chat template describes the tools to it: they are sent with the request, while its calls are read from the text of
   * its reply.
   */
  readonly drawsTools?: boolean
  /** Whether it takes images. Default: false. */
  readonly images?: boolean
  /** Whether it continues a reply whose beginning is given. Default: false. */
  readonly prefill?: boolean
  /** The grammars that can constrain its replies. Default: none. */
  readonly grammars?: readonly Grammar['syntax'][]
  /** Whether system messages may come after others. Default: false, so later ones are sent as user messages. */
  readonly laterSystem?: boolean
  readonly price?: ModelPrice
}

/** A language model: anything that turns messages into text. */
export interface Model extends ModelFacts {
  /** Its name, such as `qwen3:8b`: shown to people, and used to choose its protocol. */
  readonly name: string
  /** Who serves it, such as `ollama`: shown to people. */
  readonly provider?: string
  /** How it is named in settings and on the command line, such as `ollama/qwen3:8b`. */
  readonly reference?: string
  /** Who named it: the person, or the settings of a folder, which are never given a person's key. */
  readonly namedBy?: 'person' | 'folder'
  /** How it was seen to write calls best. It is used unless a protocol is selected, whatever its template or name implies. */
  readonly probed?: Protocol | 'native'
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
  /** Whether the model may, must or must not call a tool; for native function calling only. Default: auto. */
  readonly toolChoice?: ToolChoice
  /** The beginning of the reply, which the model continues. The reply does not repeat it. */
  readonly prefill?: string
  /** A grammar that the reply must follow. */
  readonly grammar?: Grammar
  readonly responseFormat?: ResponseFormat
  readonly stop?: readonly string[]
  readonly maxTokens?: number
  readonly temperature?: number
  readonly topP?: number
  readonly seed?: number
  /** Additional fields of the request, as the server defines them. */
  readonly body?: Readonly<Record<string, unknown>>
  /** How long the model may send nothing, in milliseconds (default: the connection's). */
  readonly idleTimeout?: number
  /** How long the whole reply may take, in milliseconds (default: the connection's). */
  readonly timeout?: number
  readonly signal: AbortSignal
}

/** Whether a model may call a tool, must not, must call any, or must call the one with this name. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string }

/** A grammar that constrains a reply. */
export interface Grammar {
  /** GBNF is what llama.cpp reads, Lark what vLLM and others do. */
  readonly syntax: 'gbnf' | 'lark'
  readonly text: string
}

/** What a reply must be: text, any JSON, or JSON that matches a schema. */
export type ResponseFormat =
  | { readonly type: 'text' }
  | { readonly type: 'json'; readonly schema?: Schema; readonly name?: string }

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
