import type { Protocol, ToolDefinition } from '@toolglot/core'

/** How a model is spoken to. */
export interface ChatRendering {
  /** Undefined: by function calling of its own. */
  readonly protocol: Protocol | undefined
  /** None: the model is to answer without. */
  readonly tools: readonly ToolDefinition[]
  /** What tells the model of the tools, where that was drawn already; else it is drawn. */
  readonly prompt?: string
  /** The roles the model has beside user and assistant. */
  readonly roles: readonly ('system' | 'tool')[]
  /** Who tells the model the results of its calls. */
  readonly resultRole: 'user' | 'tool' | 'system'
}
