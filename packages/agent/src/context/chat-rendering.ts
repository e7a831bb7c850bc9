import type { Protocol, ToolDefinition } from '@toolglot/core'
import type { ToolChoice } from '../model/model.ts'

/** Settings for rendering messages, tools and results for a model. */
export interface ChatRendering {
  /** The protocol for calls. Undefined for native function calling. */
  readonly protocol: Protocol | undefined
  /** The tools that the model may call. If empty, it must answer without tools. */
  readonly tools: readonly ToolDefinition[]
  /**
   * The place of tools, calls and results: in the text of the prompt, or in the request, where the
   * server renders them with the model's template. Default: `prompt` with a protocol, `request`
   * without one. With a protocol and `request`, the protocol is only used to parse the reply.
   */
  readonly toolsIn?: 'prompt' | 'request'
  /**
   * Allows, requires or forbids calls. The prompt states it if it describes the tools. Default:
   * auto.
   */
  readonly toolChoice?: ToolChoice
  /** The description of the tools, if it has already been rendered. */
  readonly prompt?: string
  /** The roles that the model supports in addition to user and assistant. */
  readonly roles: readonly ('system' | 'tool')[]
  /**
   * Allows system messages after other messages. Default: false, which turns later ones into user
   * messages.
   */
  readonly laterSystem?: boolean
  /** The role of messages with results. */
  readonly resultRole: 'user' | 'tool' | 'system'
}

/** True if tools, calls and results are in the request rather than in the text of the prompt. */
export function areToolsInRequest({ protocol, toolsIn }: ChatRendering): boolean {
  if (toolsIn === 'prompt' && !protocol)
    throw new TypeError(
      "Describing tools in the prompt requires a protocol. Set `protocol`, or toolsIn: 'request'.",
    )
  return toolsIn === undefined ? !protocol : toolsIn === 'request'
}
