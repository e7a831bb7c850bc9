import type { Protocol, Tool as ToolDefinition } from '@toolglot/core'
import type { Outcome, ToolCall } from '../tool/execute.ts'
import type { Tool } from '../tool/tool.ts'

/** The tools that there are for a run. */
export interface Registry {
  /** Goes up with every change. */
  readonly revision: number
  /** Those that are enabled, by name. */
  readonly tools: ReadonlyMap<string, Tool>
  readonly middleware: readonly Middleware[]
  /** The enabled tool that a name or an alias stands for. Names are exact. */
  find(name: string): Tool | undefined
  /** What a model is told of the tools; the same list until something changes. */
  definitions(): readonly ToolDefinition[]
  /** The same as a protocol writes it, drawn once. */
  prompt(protocol: Protocol): string
}

/** Sees every call that may run; may answer it, or pass it on changed: then it is checked and permitted anew. */
export type Middleware = (
  call: ToolCall,
  next: (call: ToolCall) => Promise<Outcome>,
) => Promise<Outcome>
