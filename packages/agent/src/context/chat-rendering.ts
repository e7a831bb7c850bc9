import type { Protocol, ToolDefinition } from '@toolglot/core'

/** How messages, tools and results are rendered for a model. */
export interface ChatRendering {
  /** The protocol of its calls; undefined for native function calling. */
  readonly protocol: Protocol | undefined
  /** The tools it may call; if empty, it must answer without tools. */
  readonly tools: readonly ToolDefinition[]
  /** The text that describes the tools, if it is rendered already. */
  readonly prompt?: string
  readonly toolsIn?: 'prompt' | 'request'
  readonly toolChoice?: import('../model/model.ts').ToolChoice
  readonly laterSystem?: boolean
  /** The roles the model supports besides user and assistant. */
  readonly roles: readonly ('system' | 'tool')[]
  /** The role of the messages with results. */
  readonly resultRole: 'user' | 'tool' | 'system'
}
