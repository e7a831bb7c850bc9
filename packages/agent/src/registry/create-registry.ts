import { type Protocol, type ProtocolId, printPrompt, resolveProtocol } from '@toolglot/core'
import { type AnyTool, asTool } from '../tool/any-tool.ts'
import { mustBe } from '@toolglot/permissions/errors/internal'
import { findTool } from '../tool/alias-tools.ts'
import { isTransparent, markTransparent } from '../tool/run-middleware.ts'
import {
  findConfigWarnings,
  checkNames,
  selectEntries,
  type RegistryView,
  createView,
} from './view.ts'
import { type DiscoveredToolkit, discoverToolkits, type MethodFilter } from './discover.ts'
import { mergeConfig, checkConfig, type ToolCallConfig } from './tool-call-config.ts'
import type { AddOptions, Middleware, Registry } from './registry.ts'
import { checkTogether, entryOf, type RegistryEntry, ToolStore } from './tool-store.ts'
import { methodTools, type Toolkit } from './toolkit.ts'

/** Creates a registry of tools. Tools can be added at any time. */
export function createRegistry(
  tools: readonly AnyTool[] = [],
  config: ToolCallConfig = {},
): Registry {
  const registry = new LiveRegistry(new ToolStore())
  for (const tool of tools) registry.add(tool)
  registry.configure(config)
  return registry
}

/**
 * Values derived from the tools, the configuration and the middleware. Valid until one of these
 * changes.
 */
interface Snapshot {
  readonly version: number
  readonly config: ToolCallConfig
  readonly middleware: readonly Middleware[]
  readonly view: RegistryView
  readonly prompts: WeakMap<Protocol, string>
}

class LiveRegistry implements Registry {
  readonly #store: ToolStore
  /** The registry from which `with` derived this one. */
  readonly #parent: LiveRegistry | undefined
  readonly #own: readonly RegistryEntry[]
  #changes = 0
  #middleware: readonly Middleware[] = []
  #config: ToolCallConfig = {}
  #cached: Snapshot | undefined

  constructor(store: ToolStore, parent?: LiveRegistry, own: readonly RegistryEntry[] = []) {
    this.#store = store
    this.#parent = parent
    this.#own = own
  }

  get revision(): number {
    return (this.#parent ?? this.#store).revision + this.#changes
  }

  get tools(): Registry['tools'] {
    return this.#snapshot.view.tools
  }

  get callable(): Registry['callable'] {
    return this.#snapshot.view.callable
  }

  get access(): Registry['access'] {
    return this.#snapshot.view.access
  }

  get resolved(): Registry['resolved'] {
    return this.#snapshot.view.resolved
  }

  get presets(): Registry['presets'] {
    return this.#snapshot.view.presets
  }

  get middleware(): readonly Middleware[] {
    return this.#snapshot.middleware
  }

  find(name: string): ReturnType<Registry['find']> {
    const { callable, access } = this.#snapshot.view
    return findTool(name, callable, access)?.tool
  }

  definitions(): ReturnType<Registry['definitions']> {
    return this.#snapshot.view.definitions
  }

  known(): ReturnType<Registry['known']> {
    return this.#snapshot.view.known
  }

  prompt(named: Protocol | ProtocolId): string {
    const { prompts, view } = this.#snapshot
    const protocol = resolveProtocol(named)
    const cached = prompts.get(protocol)
    if (cached !== undefined) return cached
    const { definitions } = view
    const prompt = definitions.length === 0 ? '' : printPrompt(protocol, definitions)
    prompts.set(protocol, prompt)
    return prompt
  }

  notes(): readonly string[] {
    return findConfigWarnings(this.#snapshot.config, this.#entries, this.#store.toolkits)
  }

  methods(filter?: MethodFilter): readonly DiscoveredToolkit[] {
    return discoverToolkits(this.#entries, this.#store.toolkits.values(), this.tools, filter)
  }

  with(config: ToolCallConfig = {}, own: Iterable<AnyTool> = []): Registry {
    const entries = [...own].map((tool) => entryOf({ tool: asTool(tool), aliases: [] }))
    if (entries.length > 0) checkTogether([...this.#offered, ...entries])
    const derived = new LiveRegistry(this.#store, this, entries)
    derived.configure(config)
    return derived
  }

  add(tool: AnyTool, { aliases = [] }: AddOptions = {}): void {
    this.#store.add([entryOf({ tool: asTool(tool), aliases })])
  }

  addToolkit(toolkit: Toolkit): void {
    const entries = methodTools(toolkit).map(({ tool, aliases }) =>
      entryOf({ tool, aliases, toolkit: toolkit.id }),
    )
    this.#store.add(entries, toolkit)
  }

  remove(name: string): boolean {
    return this.#store.remove(name)
  }

  use(middleware: Middleware): () => void {
    if (typeof middleware !== 'function')
      throw new TypeError(mustBe('a middleware', 'a function (call, next) => …', middleware))
    // A new function, because the same middleware may be added twice.
    const own: Middleware = (call, next, context) => middleware(call, next, context)
    if (isTransparent(middleware)) markTransparent(own)
    this.#middleware = [...this.#middleware, own]
    this.#changes++
    return () => {
      if (!this.#middleware.includes(own)) return
      this.#middleware = this.#middleware.filter((each) => each !== own)
      this.#changes++
    }
  }

  configure(config: ToolCallConfig): void {
    checkConfig(config)
    if (config.tools) checkNames(config.tools, this.#available)
    this.#config = { ...this.#config, ...config }
    this.#changes++
  }

  invalidateCache(): void {
    this.#store.discards++
  }

  get #snapshot(): Snapshot {
    const version = this.revision + this.#store.discards
    if (this.#cached?.version !== version) {
      const above = this.#parent && this.#parent.#snapshot
      const config = mergeConfig(above?.config ?? {}, this.#config)
      this.#cached = {
        version,
        config,
        middleware: [...(above?.middleware ?? []), ...this.#middleware],
        view: createView(this.#offered, config),
        prompts: new WeakMap(),
      }
    }
    return this.#cached
  }

  /** All added entries, whether or not the configuration selects them. */
  get #entries(): readonly RegistryEntry[] {
    return withOwn(this.#parent ? this.#parent.#entries : this.#store.entries, this.#own)
  }

  /** The entries from which the configuration selects. */
  get #available(): readonly RegistryEntry[] {
    return withOwn(this.#parent ? this.#parent.#offered : this.#store.entries, this.#own)
  }

  /** The entries selected by the configuration, including disabled ones. */
  get #offered(): readonly RegistryEntry[] {
    const { tools } = this.#config
    return tools ? selectEntries(tools, this.#available) : this.#available
  }
}

/**
 * Adds own tools. They replace tools of the same name that are added to the shared registry later.
 */
function withOwn(
  entries: Iterable<RegistryEntry>,
  own: readonly RegistryEntry[],
): readonly RegistryEntry[] {
  if (own.length === 0) return [...entries]
  return [...new Map([...entries, ...own].map((entry) => [entry.tool.name, entry])).values()]
}
