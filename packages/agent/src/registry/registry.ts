import type { Protocol, ToolDefinition } from '@toolglot/core'
import type { OtherTools } from '@toolglot/permissions'
import type { AnyTool } from '../tool/any-tool.ts'
import type { ExecuteResult, ToolCall } from '../tool/execute.ts'
import type { Tool } from '../tool/tool.ts'
import type { DiscoveredToolkit, MethodFilter } from './discovered.ts'
import type { ResolvedConfig } from './resolved-config.ts'
import type { ToolCallConfig } from './tool-call-config.ts'
import type { Toolkit } from './toolkit.ts'

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
  /** The enabled tools by every name and alias that they can be called by. */
  readonly callable: ReadonlyMap<string, Tool>
  /** What the enabled tools reach, for permissions. */
  readonly access: OtherTools
  /** Arguments that a person set, by the tool's name. */
  readonly presets: ReadonlyMap<string, Readonly<Record<string, unknown>>>
  /** What the configuration comes to: rules, limits and the like. */
  readonly resolved: ResolvedConfig
  /** What a parser is to know: the definitions, and those of every alias. */
  known(): readonly ToolDefinition[]
  /** What is in the configuration and names no tool. */
  notes(): readonly string[]
  /** The toolkits, and each tool that belongs to none as one. Without a filter: the methods that a model can call. */
  methods(filter?: MethodFilter): readonly DiscoveredToolkit[]

  add(tool: AnyTool, options?: AddOptions): void
  addToolkit(toolkit: Toolkit): void
  /** A tool by its name, or a toolkit by its id; whether there was one. */
  remove(name: string): boolean
  /** Adds middleware inside of what is there; call what is returned to take it out. */
  use(middleware: Middleware): () => void
  /** Sets what is given; the rest stays. */
  configure(config: ToolCallConfig): void
  /** Draws definitions and prompts anew when they are asked for next. */
  invalidateCache(): void
}

export interface AddOptions {
  /** Other names of the tool, for calls with the same arguments. */
  readonly aliases?: readonly string[]
}

/**
 * Sees every call that may run; may answer it, or pass it on changed: then it is checked and permitted anew. A tool that
 * changes something runs once, however often it is passed on.
 */
export type Middleware = (
  call: ToolCall,
  next: (call?: ToolCall) => Promise<ExecuteResult>,
  context: MiddlewareContext,
) => Promise<ExecuteResult>

export interface MiddlewareContext {
  /** The tool that the call is of. */
  readonly tool: Tool
  readonly signal: AbortSignal
  readonly run?: string
}
