// Folder: Collections of tools: names, aliases, groups, caching, retries.
import type { Protocol, ProtocolId, ToolDefinition } from '@toolglot/core'
import type { OtherTools, Permissions } from '@toolglot/permissions'
import type { AnyTool } from '../tool/any-tool.ts'
import type { ExecuteResult, ToolCall, ExecuteOptions } from '../tool/execute.ts'
import type { Tool } from '../tool/tool.ts'
import type { DiscoveredToolkit, MethodFilter } from './discover.ts'
import type { ResolvedConfig, ToolCallConfig } from './tool-call-config.ts'
import type { Toolkit } from './toolkit.ts'

/** The tools that are available to runs. */
export interface Registry {
  /** Increases with every change. */
  readonly revision: number
  /** The enabled tools, by name. */
  readonly tools: ReadonlyMap<string, Tool>
  readonly middleware: readonly Middleware[]
  /** Finds an enabled tool by its exact name or alias. */
  find(name: string): Tool | undefined
  /** The definitions that a model sees. Returns the same list until something changes. */
  definitions(): readonly ToolDefinition[]
  /** The definitions as a prompt in a protocol, which is cached. */
  prompt(protocol: Protocol | ProtocolId): string
  /** The enabled tools, by every name and alias. */
  readonly callable: ReadonlyMap<string, Tool>
  /** The access of the enabled tools, for permissions. */
  readonly access: OtherTools
  /** Preset arguments, by tool name. */
  readonly presets: ReadonlyMap<string, Readonly<Record<string, unknown>>>
  /** The rules, limits and other settings that follow from the configuration. */
  readonly resolved: ResolvedConfig
  /** The definitions that a parser needs: those of all tools and aliases. */
  known(): readonly ToolDefinition[]
  /** Warnings about names in the configuration that do not exist. */
  notes(): readonly string[]
  /** Lists toolkits; each tool without a toolkit is listed as one. Default filter: the methods that a model can call. */
  methods(filter?: MethodFilter): readonly DiscoveredToolkit[]

  /**
   * A registry that shares the tools of this one: adding or removing a tool affects both. It has its own configuration
   * over that of this one, its own middleware inside it, and tools of its `own` that this one does not have. `tools` in
   * its configuration selects among those that this one offers.
   */
  with(config?: ToolCallConfig, own?: Iterable<AnyTool>): Registry
  /** Adds a tool. Throws if its name is taken. */
  add(tool: AnyTool, options?: AddOptions): void
  /** Adds a toolkit. Throws if its id or one of its names is taken. */
  addToolkit(toolkit: Toolkit): void
  /** Removes a tool by its name, or a toolkit by its id. Returns whether there was one. */
  remove(name: string): boolean
  /** Adds middleware, inside the existing one. Returns a function that removes it. */
  use(middleware: Middleware): () => void
  /** Changes the given settings; the others stay. */
  configure(config: ToolCallConfig): void
  /** Discards the cached definitions and prompts. */
  invalidateCache(): void
}

/** Options for adding a tool. */
export interface AddOptions {
  /** Other names of the tool, for calls with the same arguments. */
  readonly aliases?: readonly string[] | undefined
}

/**
 * Wraps every permitted call. It may answer the call, or pass on another one, which is then checked and decided on again. A
 * tool that changes something runs at most once, however often the call is passed on.
 */
export type Middleware = (
  call: ToolCall,
  next: (call?: ToolCall) => Promise<ExecuteResult>,
  context: MiddlewareContext,
) => Promise<ExecuteResult>

/** The context of middleware. */
export interface MiddlewareContext {
  /** The tool that is called. */
  readonly tool: Tool
  /** The arguments of the tool, with presets and defaults. */
  readonly args: Readonly<Record<string, unknown>>
  readonly signal: AbortSignal
  readonly run?: string
}

type RegistryOptions = Required<
  Pick<ExecuteOptions, 'tools' | 'permissions' | 'middleware' | 'presets'>
>

interface CachedOptions {
  readonly revision: number
  readonly permissions: Permissions
  readonly options: RegistryOptions
}

const cache = new WeakMap<Registry, CachedOptions>()

/** The options of `execute` for a registry: its tools under all names, and permissions that include its rules. */
export function toExecuteOptions(registry: Registry, permissions: Permissions): RegistryOptions {
  const cached = cache.get(registry)
  if (cached?.revision === registry.revision && cached.permissions === permissions)
    return cached.options
  const { revision, callable, access, resolved, middleware, presets } = registry
  const rules = [...permissions.rules, ...resolved.rules]
  const tools = new Map([...(permissions.tools ?? []), ...access])
  const options = {
    tools: callable,
    permissions: { ...permissions, rules, tools },
    middleware,
    presets,
  }
  cache.set(registry, { revision, permissions, options })
  return options
}
