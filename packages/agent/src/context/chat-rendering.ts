import type { Protocol, ToolDefinition } from '@toolglot/core'
import type { ToolChoice } from '../model/model.ts'

/** The rendering of messages, tools and results for a model. */
export interface ChatRendering {
  /** The protocol of its calls; undefined for native function calling. */
  readonly protocol: Protocol | undefined
  /** The tools it may call; if empty, it must answer without tools. */
  readonly tools: readonly ToolDefinition[]
  /**
   * The place of tools, calls and results: the text of the prompt, or the request, because the server renders them with
   * the model's template. Default: `prompt` with a protocol, `request` without. With a protocol and `request`, only the
   * reply is read in that protocol.
   */
  readonly toolsIn?: 'prompt' | 'request'
  /** Whether the model may, must or must not call a tool. Stated in the prompt, if the tools are there. Default: auto. */
  readonly toolChoice?: ToolChoice
  /** The text that describes the tools, if it is rendered already. */
  readonly prompt?: string
  /** The roles the model supports besides user and assistant. */
  readonly roles: readonly ('system' | 'tool')[]
  /** Whether system messages may come after others. Default: false, so later ones become user messages. */
  readonly laterSystem?: boolean
  /** The role of the messages with results. */
  readonly resultRole: 'user' | 'tool' | 'system'
}

/** Whether tools, calls and results are in the request, not in the text of the prompt. */
export function areToolsInRequest({ protocol, toolsIn }: ChatRendering): boolean {
  if (toolsIn === 'prompt' && !protocol)
    throw new TypeError(
      "Expected a protocol to describe the tools in, got none. Set `protocol`, or toolsIn: 'request'.",
    )
  return toolsIn === undefined ? !protocol : toolsIn === 'request'
}
