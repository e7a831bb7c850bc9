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
  /** The enabled tools by name. */
  readonly tools: ReadonlyMap<string, Tool>
  readonly middleware: readonly Middleware[]
  /** Finds an enabled tool by its exact name or alias. */
  find(name: string): Tool | undefined
  /** The definitions shown to a model. Returns the same list until something changes. */
  definitions(): readonly ToolDefinition[]
  /** The definitions as a prompt in a protocol. Cached. */
  prompt(protocol: Protocol | ProtocolId): string
  /** The enabled tools by name and by alias. */
  readonly callable: ReadonlyMap<string, Tool>
  /** The access of the enabled tools, for permissions. */
  readonly access: OtherTools
  /** Preset arguments, by tool name. */
  readonly presets: ReadonlyMap<string, Readonly<Record<string, unknown>>>
  /** The rules, limits and other settings derived from the configuration. */
  readonly resolved: ResolvedConfig
  /** The definitions required by a parser: all tools and aliases. */
  known(): readonly ToolDefinition[]
  /** Warnings about unknown names in the configuration. */
  notes(): readonly string[]
  /**
   * Lists toolkits. A tool without a toolkit is listed as a separate toolkit. Default filter: the
   * methods that a model can call.
   */
  methods(filter?: MethodFilter): readonly DiscoveredToolkit[]

  /**
   * Creates a registry that shares this one's tools, so adding or removing a tool affects both. The
   * new registry can have its own configuration on top of this one's, its own middleware inside
   * this one's, and additional tools in `own`. `tools` in its configuration selects from the tools
   * that this registry offers.
   */
  with(config?: ToolCallConfig, own?: Iterable<AnyTool>): Registry
  /** Adds a tool. Throws if its name is already in use. */
  add(tool: AnyTool, options?: AddOptions): void
  /** Adds a toolkit. Throws if its id or one of its names is already in use. */
  addToolkit(toolkit: Toolkit): void
  /** Removes a tool by name or a toolkit by id. Returns false if there is none. */
  remove(name: string): boolean
  /** Adds middleware inside the existing middleware. Returns a function that removes it. */
  use(middleware: Middleware): () => void
  /** Changes the given settings and keeps the rest. */
  configure(config: ToolCallConfig): void
  /** Discards the cached definitions and prompts. */
  invalidateCache(): void
}

/** Options for `Registry.add`. */
export interface AddOptions {
  /** Additional names for the tool. Calls by these names have the same arguments. */
  readonly aliases?: readonly string[] | undefined
}

/**
 * Wraps every permitted call. Middleware may answer a call itself or pass on a different call,
 * which is then checked and decided on again. A tool that changes something runs at most once per
 * call, however often the call is passed on.
 */
export type Middleware = (
  call: ToolCall,
  next: (call?: ToolCall) => Promise<ExecuteResult>,
  context: MiddlewareContext,
) => Promise<ExecuteResult>

/** The context of middleware. */
export interface MiddlewareContext {
  /** The called tool. */
  readonly tool: Tool
  /** The arguments of the tool, including presets and defaults. */
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

/**
 * Creates the options of `execute` for a registry: its tools under all names, and permissions that
 * include its rules.
 */
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
