import type { Message, RequestOptions } from '@toolglot/agent'
import type { ToolDefinition } from '@toolglot/core'

/** A client's request, independent of the API. */
export interface GatewayRequest {
  /** The name of the model. */
  readonly model: string
  readonly conversation: readonly ConversationItem[]
  /** The parameter that contains the conversation, such as `messages`. */
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
  /** True if the reply is streamed. */
  readonly stream: boolean
  /** Streams arguments while the model writes them. Default: the gateway's setting. */
  readonly streamArguments?: boolean
  /** Codes for omitted parts of the request, such as `dropped:web_search`. */
  readonly notes: readonly string[]
}

/** A tool, as described by the client. */
export interface RequestedTool {
  readonly definition: ToolDefinition
  /** The tool's location in the request, such as `tools[2].function`. */
  readonly where: string
  /** True if calls must match the tool's schema. */
  readonly strict?: true
  /**
   * True if the tool's input is a string rather than an object: the tool is offered with one
   * argument, `input`.
   */
  readonly custom?: true
}

/**
 * A part of the conversation, as sent in APIs: each result is a separate item with the id of its
 * call.
 */
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
      /** The tool reported a failure. */
      readonly failed?: true
      readonly images?: readonly ResultImage[]
    }

/** An image returned by a tool. */
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
