// Folder: Connections to models, and how to find them.
import type { Finish, Protocol, Schema, ToolDefinition } from '@toolglot/core'
import type { ChatMessage } from './chat-message.ts'
import type { ModelPrice, Usage } from './usage.ts'

/** Facts about a model: its abilities and its price. */
export interface ModelFacts {
  /**
   * The model's chat template, if known. It identifies the protocol more reliably than the name.
   */
  readonly chatTemplate?: string | undefined
  /** The size of its context window, in tokens. */
  readonly contextTokens?: number | undefined
  /**
   * Advice for getting a larger context window, for people: a sentence such as "Restart it with -c
   * 8192.".
   */
  readonly contextAdvice?: string | undefined
  /**
   * The roles it supports in addition to user and assistant. Default: both. Messages with an
   * unsupported role are sent with another one.
   */
  readonly roles?: readonly ('system' | 'tool')[] | undefined
  /** True if it has native function calling, which is used unless a protocol is selected. */
  readonly native?: boolean | undefined
  /**
   * True if the model's chat template describes the tools: they are sent with the request, but
   * calls are parsed from the text of the reply.
   */
  readonly drawsTools?: boolean | undefined
  /** Accepts images. Default: false. */
  readonly images?: boolean | undefined
  /** Can continue a reply from a given beginning. Default: false. */
  readonly prefill?: boolean | undefined
  /** The syntaxes of grammars that can constrain its replies. Default: none. */
  readonly grammars?: readonly Grammar['syntax'][] | undefined
  /**
   * Accepts system messages after other messages. Default: false, so later ones are sent as user
   * messages.
   */
  readonly laterSystem?: boolean | undefined
  readonly price?: ModelPrice | undefined
}

/** A language model: anything that converts messages to text. */
export interface Model extends ModelFacts {
  /** The model's name, such as `qwen3:8b`. Shown to users and used to choose the protocol. */
  readonly name: string
  /** The server or service, such as `ollama`. Shown to people. */
  readonly provider?: string | undefined
  /** The model's reference in settings and on the command line, such as `ollama/qwen3:8b`. */
  readonly reference?: string | undefined
  /**
   * The source of the model's reference: the user (`person`), or the settings of a folder, which
   * never get the user's keys.
   */
  readonly namedBy?: 'person' | 'folder' | undefined
  /**
   * The best format for its calls, found by probing. Takes precedence over its template and name,
   * but not over a selected protocol.
   */
  readonly probed?: Protocol | 'native' | undefined
  /** Counts the tokens in text with the model's own tokenizer. */
  readonly countTokens?: ((text: string, signal: AbortSignal) => Promise<number>) | undefined
  /**
   * Streams one reply. The stream ends with a `finish` chunk unless the reply was cut off. Fails
   * with a ModelError.
   */
  reply(request: ModelRequest): AsyncIterable<ModelChunk>
}

/** A request for a reply. */
export interface ModelRequest {
  readonly messages: readonly ChatMessage[]
  /** Set only for native function calling. Otherwise, the messages describe the tools. */
  readonly tools?: readonly ToolDefinition[] | undefined
  /** Allows, requires or forbids calls. Only for native function calling. Default: auto. */
  readonly toolChoice?: ToolChoice | undefined
  /**
   * The beginning of the reply, for the model to continue. The streamed reply does not repeat it.
   */
  readonly prefill?: string | undefined
  /** A grammar that the reply must follow. */
  readonly grammar?: Grammar | undefined
  readonly responseFormat?: ResponseFormat | undefined
  readonly stop?: readonly string[] | undefined
  readonly maxTokens?: number | undefined
  readonly temperature?: number | undefined
  readonly topP?: number | undefined
  readonly seed?: number | undefined
  /** Additional fields of the request, as defined by the server. */
  readonly body?: Readonly<Record<string, unknown>> | undefined
  /** The maximum time without output, in milliseconds. Default: the connection's. */
  readonly idleTimeout?: number | undefined
  /** The maximum total time for a reply, in milliseconds. Default: the connection's. */
  readonly timeout?: number | undefined
  readonly signal: AbortSignal
}

/** Calls are allowed, forbidden or required, or the tool with this name must be called. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string }

/** A grammar that constrains a reply. */
export interface Grammar {
  /** GBNF is llama.cpp's syntax. Lark is used by vLLM and others. */
  readonly syntax: 'gbnf' | 'lark'
  readonly text: string
}

/** The format of a reply: text, any JSON, or JSON that matches a schema. */
export type ResponseFormat =
  | { readonly type: 'text' }
  | { readonly type: 'json'; readonly schema?: Schema; readonly name?: string }

/** A chunk of a streamed reply. */
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
