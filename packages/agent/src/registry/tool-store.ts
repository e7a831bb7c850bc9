import { aliasesOf } from '../tool/alias-tools.ts'
import { jsonSchemaOf } from '../tool/json-schema.ts'
import type { Tool } from '../tool/tool.ts'
import type { Toolkit } from './toolkit.ts'
import { checkToolName } from '../tool/any-tool.ts'

/** A tool in a registry. */
export interface RegistryEntry {
  readonly tool: Tool
  readonly aliases: readonly string[]
  /** The id of its toolkit. */
  readonly toolkit?: string
}

/** The tools shared by several registries. */
export class ToolStore {
  readonly #names = new TakenNames()
  readonly #entries = new Map<string, RegistryEntry>()
  readonly #toolkits = new Map<string, Toolkit>()
  #revision = 0
  /**
   * The number of times that registries discarded their caches without adding or removing a tool.
   */
  discards = 0

  get revision(): number {
    return this.#revision
  }

  get entries(): Iterable<RegistryEntry> {
    return this.#entries.values()
  }

  get toolkits(): ReadonlyMap<string, Toolkit> {
    return this.#toolkits
  }

  /** Adds all of these entries and their toolkit. If it throws, none are added. */
  add(entries: readonly RegistryEntry[], toolkit?: Toolkit): void {
    checkSchemas(entries)
    const claims = entries.flatMap((entry) =>
      claimsOf(entry, { again: !this.#entries.has(entry.tool.name) }),
    )
    const id = toolkit && { name: toolkit.id, owner: toolkit.id, what: 'the id of a toolkit' }
    this.#names.take([...(id ? [id] : []), ...claims])
    for (const entry of entries) this.#entries.set(entry.tool.name, entry)
    if (toolkit) this.#toolkits.set(toolkit.id, toolkit)
    this.#revision++
  }

  /** Removes a tool by name or a toolkit by id. Returns false if there is none. */
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
    // A tool and its aliases share their names, but can be removed individually.
    const left = [...this.#entries.values()].filter((each) => owners.has(ownerOf(each)))
    this.#names.take(left.flatMap((each) => claimsOf(each, { again: true })))
    this.#revision++
    return true
  }
}

/** Adds the built-in aliases to the entry of a canonical tool. */
export function entryOf(entry: RegistryEntry): RegistryEntry {
  return { ...entry, aliases: [...new Set([...aliasesOf(entry.tool), ...entry.aliases])] }
}

/**
 * Throws if the entries cannot be in one registry, because two names collide or a schema cannot be
 * shown to a model.
 */
export function checkTogether(entries: readonly RegistryEntry[]): void {
  checkSchemas(entries)
  const names = new TakenNames()
  const added = new Set<string>()
  for (const entry of entries) {
    const { name } = entry.tool
    names.take(claimsOf(entry, { again: !added.has(name) }))
    added.add(name)
  }
}

/** Fails immediately rather than in the middle of a run. */
function checkSchemas(entries: readonly RegistryEntry[]): void {
  for (const { tool } of entries) jsonSchemaOf(tool.parameters)
}

/**
 * The owner of an entry's names. If an alias is added as a tool, the owner is the original tool.
 */
function ownerOf({ tool }: RegistryEntry): string {
  return tool.aliasOf?.name ?? tool.name
}

/** `again`: the alias may already have been claimed by its tool. */
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

/** The names in use, with their owners. Names that differ only in case collide. */
class TakenNames {
  readonly #taken = new Map<string, { name: string; owner: string }>()

  /** Claims all of these names. If it throws, none are claimed. */
  take(claims: readonly NameClaim[]): void {
    const added: string[] = []
    try {
      for (const claim of claims) {
        const key = this.#takeOne(claim)
        if (key !== undefined) added.push(key)
      }
    } catch (error) {
      for (const key of added) this.#taken.delete(key)
      throw error
    }
  }

  /** Claims a name. Returns its key if it was not claimed before. */
  #takeOne({ name, owner, what, again }: NameClaim): string | undefined {
    checkToolName(name, what)
    const key = foldName(name)
    const other = this.#taken.get(key)
    if (other && (other.owner !== owner || (other.name === name && !again)))
      throw new TypeError(collision({ name, owner }, other))
    if (other) return undefined
    this.#taken.set(key, { name, owner })
    return key
  }

  release(owners: ReadonlySet<string>): void {
    for (const [key, { owner }] of this.#taken) if (owners.has(owner)) this.#taken.delete(key)
  }
}

/** The claim of a tool or toolkit to a name. */
interface NameClaim {
  readonly name: string
  /** The name of the tool or the id of the toolkit that owns the name. */
  readonly owner: string
  /** A description of the name for error messages. */
  readonly what?: string
  /** Allow a name that the owner has already claimed. */
  readonly again?: boolean
}

function collision(one: NameClaim, other: NameClaim): string {
  return `${describeClaim(one)} and ${describeClaim(other)} collide: rename or remove one of them.`
}

function describeClaim({ name, owner }: NameClaim): string {
  const quoted = JSON.stringify(name)
  return name === owner ? quoted : `${quoted} (of ${JSON.stringify(owner)})`
}

/** Maps names that are easily confused to the same text. */
function foldName(name: string): string {
  const bare = name.startsWith(PROVIDER) ? name.slice(PROVIDER.length) : name
  return bare.normalize('NFKC').toLowerCase().normalize('NFKC')
}

/** Some models write `functions.Bash`. */
const PROVIDER = 'functions.'
