import type { z } from 'zod'

// What is used of the plugin interface of OpenCode 1, in its own shapes.

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
  /** Told of the configuration, which it may change. */
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
  /** Tells what is happening. */
  metadata(input: { metadata: Record<string, unknown> }): void
  /** Rejects if the person, or a rule of OpenCode, does not want it. */
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
