import { type Protocol, type ProtocolId, printPrompt, resolveProtocol } from '@toolglot/core'
import { aliasesOf } from '../tool/alias-tools.ts'
import { type AnyTool, asTool } from '../tool/any-tool.ts'
import { findTool } from '../tool/find-tool.ts'
import { jsonSchemaOf } from '../tool/json-schema.ts'
import { type DiscoveredToolkit, discoverToolkits, type MethodFilter } from './discover.ts'
import { type NameClaim, TakenNames } from './names.ts'
import { findConfigWarnings } from './config-warnings.ts'
import type { AddOptions, Middleware, Registry } from './registry.ts'
import { checkConfig, type ToolCallConfig } from './tool-call-config.ts'
import { methodTools, type Toolkit } from './toolkit.ts'
import { type RegistryEntry, type RegistryView, createView } from './view.ts'

/** Creates a registry of tools. More can be added at any time. */
export function createRegistry(
  tools: readonly AnyTool[] = [],
  config: ToolCallConfig = {},
): Registry {
  const registry = new LiveRegistry()
  for (const tool of tools) registry.add(tool)
  registry.configure(config)
  return registry
}

class LiveRegistry implements Registry {
  #revision = 0
  readonly #names = new TakenNames()
  readonly #entries = new Map<string, RegistryEntry>()
  readonly #toolkits = new Map<string, Toolkit>()
  #middleware: readonly Middleware[] = []
  #config: ToolCallConfig = {}
  #view: RegistryView | undefined
  #prompts = new WeakMap<Protocol, string>()

  get revision(): number {
    return this.#revision
  }

  get tools(): Registry['tools'] {
    return this.#currentView.tools
  }

  get callable(): Registry['callable'] {
    return this.#currentView.callable
  }

  get access(): Registry['access'] {
    return this.#currentView.access
  }

  get resolved(): Registry['resolved'] {
    return this.#currentView.resolved
  }

  get presets(): Registry['presets'] {
    return this.#currentView.presets
  }

  get middleware(): readonly Middleware[] {
    return this.#middleware
  }

  find(name: string): ReturnType<Registry['find']> {
    const { callable, access } = this.#currentView
    return findTool(name, callable, access)?.tool
  }

  definitions(): ReturnType<Registry['definitions']> {
    return this.#currentView.definitions
  }

  known(): ReturnType<Registry['known']> {
    return this.#currentView.known
  }

  prompt(named: Protocol | ProtocolId): string {
    const protocol = resolveProtocol(named)
    const cached = this.#prompts.get(protocol)
    if (cached !== undefined) return cached
    const definitions = this.definitions()
    const prompt = definitions.length === 0 ? '' : printPrompt(protocol, definitions)
    this.#prompts.set(protocol, prompt)
    return prompt
  }

  notes(): readonly string[] {
    return findConfigWarnings(this.#config, this.#entries.values(), this.#toolkits)
  }

  methods(filter?: MethodFilter): readonly DiscoveredToolkit[] {
    return discoverToolkits(this.#entries, this.#toolkits.values(), this.#config, filter)
  }

  add(tool: AnyTool, { aliases = [] }: AddOptions = {}): void {
    this.#addAll([entryOf({ tool: asTool(tool), aliases })])
  }

  addToolkit(toolkit: Toolkit): void {
    const { id } = toolkit
    const entries = methodTools(toolkit).map(({ tool, aliases }) =>
      entryOf({ tool, aliases, toolkit: id }),
    )
    this.#addAll(entries, [{ name: id, owner: id, what: 'the id of a toolkit' }])
    this.#toolkits.set(id, toolkit)
  }

  remove(name: string): boolean {
    const entry = this.#entries.get(name)
    if (entry?.toolkit !== undefined)
      throw new TypeError(
        `${name} belongs to the toolkit ${entry.toolkit}: remove the toolkit, or disable ${name} in toolToggles.`,
      )
    if (!entry && !this.#toolkits.has(name)) return false
    const removed = [...this.#entries.values()].filter(
      ({ tool, toolkit }) => tool.name === name || toolkit === name,
    )
    for (const { tool } of removed) this.#entries.delete(tool.name)
    this.#toolkits.delete(name)
    const owners = new Set([...(entry ? [] : [name]), ...removed.map(ownerOf)])
    this.#names.release(owners)
    // A tool and its aliases own their names together, but can be removed one by one.
    const left = [...this.#entries.values()].filter((each) => owners.has(ownerOf(each)))
    this.#names.take(left.flatMap((each) => claimsOf(each, { again: true })))
    this.#markChanged()
    return true
  }

  use(middleware: Middleware): () => void {
    if (typeof middleware !== 'function')
      throw new TypeError(`Expected a function (call, next) => …, got ${typeof middleware}.`)
    // The same function may be added twice.
    const own: Middleware = (call, next, context) => middleware(call, next, context)
    this.#middleware = [...this.#middleware, own]
    this.#markChanged()
    return () => {
      if (!this.#middleware.includes(own)) return
      this.#middleware = this.#middleware.filter((each) => each !== own)
      this.#markChanged()
    }
  }

  configure(config: ToolCallConfig): void {
    checkConfig(config)
    this.#config = { ...this.#config, ...config }
    this.#markChanged()
  }

  invalidateCache(): void {
    this.#view = undefined
    this.#prompts = new WeakMap()
  }

  get #currentView(): RegistryView {
    return (this.#view ??= createView(this.#entries.values(), this.#config))
  }

  #addAll(entries: readonly RegistryEntry[], others: readonly NameClaim[] = []): void {
    // Fails here, not in the middle of a run, if a schema cannot be shown to a model.
    for (const { tool } of entries) jsonSchemaOf(tool.parameters)
    const claims = entries.flatMap((entry) =>
      claimsOf(entry, { again: !this.#entries.has(entry.tool.name) }),
    )
    this.#names.take([...others, ...claims])
    for (const entry of entries) this.#entries.set(entry.tool.name, entry)
    this.#markChanged()
  }

  #markChanged(): void {
    this.#revision++
    this.invalidateCache()
  }
}

/** Adds the built-in aliases of a canonical tool. */
function entryOf(entry: RegistryEntry): RegistryEntry {
  return { ...entry, aliases: [...new Set([...aliasesOf(entry.tool), ...entry.aliases])] }
}

/** The owner of the names of an entry: for an alias that is a tool in the registry, the tool that it stands for. */
function ownerOf({ tool }: RegistryEntry): string {
  return tool.aliasOf?.name ?? tool.name
}

/** `again`: the name of an alias may already be claimed by its tool. */
function claimsOf(
  { tool, aliases }: RegistryEntry,
  { again }: { readonly again: boolean },
): NameClaim[] {
  const owner = ownerOf({ tool, aliases })
  const known = new Set(aliasesOf(tool))
  return [
    { name: tool.name, owner, ...(tool.aliasOf && { again }) },
    ...aliases.map((name) => ({ name, owner, ...(known.has(name) && { again: true }) })),
  ]
}
