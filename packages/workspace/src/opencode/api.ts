import type { z } from 'zod'

// The part of OpenCode 1's plugin API used by the plugin.

export interface PluginModule {
  readonly id: string
  readonly server: Plugin
}

export type Plugin = (
  input: { readonly directory: string },
  options?: Readonly<Record<string, unknown>>,
) => Promise<Hooks>

export interface Hooks {
  readonly tool: Readonly<Record<string, ToolDefinition>>
  /** Receives the configuration and may change it. */
  readonly config: (config: { permission?: unknown }) => Promise<void>
  readonly dispose: () => Promise<void>
}

export interface ToolDefinition {
  readonly description: string
  readonly args: Readonly<Record<string, z.ZodType>>
  execute(args: Readonly<Record<string, unknown>>, context: ToolContext): Promise<ToolResult>
}

export interface ToolContext {
  readonly sessionID: string
  readonly abort: AbortSignal
  /** Reports progress. */
  metadata(input: { metadata: Record<string, unknown> }): void
  /** Rejects if the user or a rule of OpenCode denies it. */
  ask(input: {
    permission: string
    patterns: string[]
    always: string[]
    metadata: Record<string, unknown>
  }): Promise<void>
}

export interface ToolResult {
  readonly output: string
  readonly metadata: Record<string, unknown>
  readonly attachments?: readonly { type: 'file'; mime: string; url: string }[]
}
