import { type Protocol, printPrompt } from '@toolglot/core'
import { aliasesOf } from '../tool/alias-tools.ts'
import { type AnyTool, asTool } from '../tool/any-tool.ts'
import { findTool } from '../tool/find-tool.ts'
import { jsonSchemaOf } from '../tool/json-schema.ts'
import type { DiscoveredToolkit, MethodFilter } from './discovered.ts'
import { discoverToolkits } from './discover.ts'
import { type NameClaim, TakenNames } from './names.ts'
import { findConfigWarnings } from './config-warnings.ts'
import type { AddOptions, Middleware, Registry } from './registry.ts'
import { checkConfig, type ToolCallConfig } from './tool-call-config.ts'
import { methodTools, type Toolkit } from './toolkit.ts'
import { type RegistryEntry, type RegistryView, createView } from './view.ts'

/** The tools there are for runs: some to begin with, and more whenever they come. */
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
    return this.#seen.tools
  }

  get callable(): Registry['callable'] {
    return this.#seen.callable
  }

  get access(): Registry['access'] {
    return this.#seen.access
  }

  get resolved(): Registry['resolved'] {
    return this.#seen.resolved
  }

  get presets(): Registry['presets'] {
    return this.#seen.presets
  }

  get middleware(): readonly Middleware[] {
    return this.#middleware
  }

  find(name: string): ReturnType<Registry['find']> {
    const { callable, access } = this.#seen
    return findTool(name, callable, access)?.tool
  }

  definitions(): ReturnType<Registry['definitions']> {
    return this.#seen.definitions
  }

  known(): ReturnType<Registry['known']> {
    return this.#seen.known
  }

  prompt(protocol: Protocol): string {
    const drawn = this.#prompts.get(protocol)
    if (drawn !== undefined) return drawn
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
        `${name} belongs to the toolkit ${entry.toolkit}: remove that, or switch ${name} off in toolToggles.`,
      )
    if (!entry && !this.#toolkits.has(name)) return false
    const gone = [...this.#entries.values()].filter(
      ({ tool, toolkit }) => tool.name === name || toolkit === name,
    )
    for (const { tool } of gone) this.#entries.delete(tool.name)
    this.#toolkits.delete(name)
    const owners = new Set([...(entry ? [] : [name]), ...gone.map(ownerOf)])
    this.#names.release(owners)
    // A tool and its aliases have their names together, and may go one by one.
    const left = [...this.#entries.values()].filter((each) => owners.has(ownerOf(each)))
    this.#names.take(left.flatMap((each) => claimsOf(each, { again: true })))
    this.#changed()
    return true
  }

  use(middleware: Middleware): () => void {
    if (typeof middleware !== 'function')
      throw new TypeError(`Expected a function (call, next) => …, got ${typeof middleware}.`)
    // The same function may be there twice.
    const own: Middleware = (call, next, context) => middleware(call, next, context)
    this.#middleware = [...this.#middleware, own]
    this.#changed()
    return () => {
      if (!this.#middleware.includes(own)) return
      this.#middleware = this.#middleware.filter((each) => each !== own)
      this.#changed()
    }
  }

  configure(config: ToolCallConfig): void {
    checkConfig(config)
    this.#config = { ...this.#config, ...config }
    this.#changed()
  }

  invalidateCache(): void {
    this.#view = undefined
    this.#prompts = new WeakMap()
  }

  get #seen(): RegistryView {
    return (this.#view ??= createView(this.#entries.values(), this.#config))
  }

  #addAll(entries: readonly RegistryEntry[], others: readonly NameClaim[] = []): void {
    // What no model can be told of is found here, and not in the middle of a run.
    for (const { tool } of entries) jsonSchemaOf(tool.parameters)
    const claims = entries.flatMap((entry) =>
      claimsOf(entry, { again: !this.#entries.has(entry.tool.name) }),
    )
    this.#names.take([...others, ...claims])
    for (const entry of entries) this.#entries.set(entry.tool.name, entry)
    this.#changed()
  }

  #changed(): void {
    this.#revision++
    this.invalidateCache()
  }
}

/** The other names that a canonical tool has anyway belong to it. */
function entryOf(entry: RegistryEntry): RegistryEntry {
  return { ...entry, aliases: [...new Set([...aliasesOf(entry.tool), ...entry.aliases])] }
}

/** Whose names an entry has: an alias that is offered by itself is one of its tool's. */
function ownerOf({ tool }: RegistryEntry): string {
  return tool.aliasOf?.name ?? tool.name
}

/** `again`: where it is an alias, its tool may have claimed the name. */
function claimsOf({ tool, aliases }: RegistryEntry, { again }: { readonly again: boolean }): NameClaim[] {
  const owner = ownerOf({ tool, aliases })
  const known = new Set(aliasesOf(tool))
  return [
    { name: tool.name, owner, ...(tool.aliasOf && { again }) },
    ...aliases.map((name) => ({ name, owner, ...(known.has(name) && { again: true }) })),
  ]
}
