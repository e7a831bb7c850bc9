import type { Message, RequestOptions } from '@toolglot/agent'
import type { ToolDefinition } from '@toolglot/core'

/** A client's request, whatever its API. */
export interface GatewayRequest {
  /** The name of the model. */
  readonly model: string
  readonly conversation: readonly ConversationItem[]
  /** The parameter that the conversation is in, such as `messages`. */
  readonly conversationIn: string
  readonly tools: readonly RequestedTool[]
  readonly options: Pick<
    RequestOptions,
    | 'toolChoice'
    | 'responseFormat'
    | 'temperature'
    | 'topP'
    | 'seed'
    | 'stop'
    | 'maxOutputTokens'
    | 'body'
    | 'stopAtFirstCall'
  >
  /** Whether the reply is streamed. */
  readonly stream: boolean
  /** Whether arguments are streamed while the model writes them; undefined: as the gateway is set up. */
  readonly streamArguments?: boolean
  /** Names of what was left out of the request, such as `dropped:web_search`. */
  readonly notes: readonly string[]
}

/** A tool, as a client describes it. */
export interface RequestedTool {
  readonly definition: ToolDefinition
  /** Where it is in the request, such as `tools[2].function`. */
  readonly where: string
  /** Its calls must match its schema. */
  readonly strict?: true
  /** Its input is a text, not an object: it is offered as a tool with one argument, `input`. */
  readonly custom?: true
}

/** A part of the conversation, as APIs send it: each result by itself, with the id of its call. */
export type ConversationItem =
  | Extract<Message, { role: 'system' | 'user' }>
  | {
      readonly role: 'assistant'
      readonly content: string
      readonly calls: readonly ConversationCall[]
    }
  | {
      readonly role: 'result'
      /** The id of the call. */
      readonly call: string
      readonly output: string
      /** The tool says that it failed. */
      readonly failed?: true
      readonly images?: readonly ResultImage[]
    }

/** An image that a tool returned. */
export interface ResultImage {
  readonly type: 'image'
  readonly url: string
}

/** A call in the conversation. */
export interface ConversationCall {
  readonly id: string
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
}
