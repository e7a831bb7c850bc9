import { withoutUndefined } from '@toolglot/agent/internal'
import { GatewayError } from '../gateway-error.ts'
import type { ConversationItem } from '../request.ts'

/** An input item of a request: the item itself, or the id of an earlier output item. */
export type InputItem =
  | ConversationItem
  | { readonly role: 'reference'; readonly id: string; readonly where: string }

/** A stored output item. Reasoning is not part of a conversation. */
export interface OutputItem {
  readonly id: string
  readonly item: ConversationItem | undefined
}

/** Replaces references by their targets. Throws a GatewayError for an unknown target. */
export async function resolveReferences(
  input: readonly InputItem[],
  find: (id: string) => OutputItem | undefined | Promise<OutputItem | undefined>,
): Promise<readonly ConversationItem[]> {
  const items: ConversationItem[] = []
  for (const item of input) {
    if (item.role !== 'reference') {
      items.push(item)
      continue
    }
    const found = await find(item.id)
    if (!found) throw notFound('item_not_found', `item ${quoted(item.id)}`, item.where)
    if (found.item) items.push(found.item)
  }
  return items
}

/** The error for a response that is not stored, or no longer. */
export function previousNotFound(id: string): GatewayError {
  return notFound('previous_response_not_found', `response ${quoted(id)}`, 'previous_response_id')
}

function notFound(code: string, what: string, parameter: string): GatewayError {
  const kind = code.startsWith('item') ? 'item' : 'response'
  const why = 'Only the latest are kept: send the whole conversation instead.'
  return new GatewayError(400, code, `No such ${what}. ${why}`, {
    parameter,
    summary: `No such ${kind}. ${why}`,
  })
}

function quoted(id: string): string {
  return JSON.stringify(id.slice(0, 100))
}

/** The limits of a store. */
export interface StoreLimits {
  /** The maximum number of entries per owner. */
  readonly count: number
  /** The maximum total size per owner, in characters. */
  readonly size: number
  /** The maximum total size for all owners. */
  readonly totalSize: number
  /** The time since the last use after which an entry is removed, in milliseconds. */
  readonly age: number
  readonly now: () => number
}

interface Entry<Value> {
  readonly value: Value
  readonly size: number
  readonly used: number
}

/** The entries of one owner, the most recently used last. */
interface Owned<Value> {
  readonly entries: Map<string, Entry<Value>>
  size: number
}

/** Values by owner and key, within limits. The least recently used values are evicted first. */
export class OwnedStore<Value> {
  readonly #limits: StoreLimits
  readonly #owners = new Map<string, Owned<Value>>()
  #size = 0

  constructor(limits: StoreLimits) {
    this.#limits = limits
  }

  /** Returns false if the value is too large to be kept. */
  set(owner: string, key: string, value: Value, size: number): boolean {
    const { count, size: most, totalSize } = this.#limits
    if (size > Math.min(most, totalSize)) return false
    this.#forgetOld()
    this.#put(owner, key, { value, size, used: this.#limits.now() })
    const owned = this.#owners.get(owner)!
    while (owned.entries.size > count || owned.size > most) this.#forgetOldest(owner)
    while (this.#size > totalSize) this.#forgetOldest(this.#largestOwner())
    return owned.entries.has(key)
  }

  get(owner: string, key: string): Value | undefined {
    this.#forgetOld()
    const entry = this.#owners.get(owner)?.entries.get(key)
    if (entry) this.#put(owner, key, { ...entry, used: this.#limits.now() })
    return entry?.value
  }

  #put(owner: string, key: string, entry: Entry<Value>): void {
    this.#forget(owner, key)
    const owned = this.#owners.get(owner) ?? { entries: new Map(), size: 0 }
    this.#owners.set(owner, owned)
    owned.entries.set(key, entry)
    owned.size += entry.size
    this.#size += entry.size
  }

  #forget(owner: string, key: string): void {
    const owned = this.#owners.get(owner)
    const entry = owned?.entries.get(key)
    if (!owned || !entry) return
    owned.entries.delete(key)
    owned.size -= entry.size
    this.#size -= entry.size
    if (owned.entries.size === 0) this.#owners.delete(owner)
  }

  #forgetOldest(owner: string): void {
    const [key] = this.#owners.get(owner)?.entries.keys() ?? []
    if (key !== undefined) this.#forget(owner, key)
  }

  #forgetOld(): void {
    const latest = this.#limits.now() - this.#limits.age
    for (const [owner, { entries }] of this.#owners)
      for (const [key, { used }] of entries) {
        if (used > latest) break
        this.#forget(owner, key)
      }
  }

  #largestOwner(): string {
    const [first] = [...this.#owners].sort(([, one], [, other]) => other.size - one.size)
    return first![0]
  }
}

/** A response, and the conversation it answers. */
export interface KeptResponse {
  readonly id: string
  /** The id of the previous response. */
  readonly previous: string | undefined
  readonly input: readonly ConversationItem[]
  readonly output: readonly OutputItem[]
}

/** Stored responses, for clients that refer to them. Each owner can access only its own. */
export interface ResponseStore {
  /** Keeps a response. Returns false if it is too large. */
  keep(owner: string, response: KeptResponse): boolean
  /** The conversation up to and including a response; undefined if any part of it is not stored. */
  conversation(owner: string, id: string): Promise<readonly ConversationItem[] | undefined>
  /** An output item of a response. */
  item(owner: string, id: string): OutputItem | undefined | Promise<OutputItem | undefined>
}

/** Creates a store. Items outlive their responses, since they are small. */
export function createResponseStore(limits: Partial<StoreLimits> = {}): ResponseStore {
  const all: StoreLimits = { ...DEFAULTS, ...withoutUndefined(limits) }
  const responses = new OwnedStore<KeptResponse>(all)
  const items = new OwnedStore<OutputItem>({ ...all, count: all.count * ITEMS })
  return {
    keep(owner, response) {
      const sizes = response.output.map((item) => JSON.stringify(item).length)
      const output = sizes.reduce((one, other) => one + other, 0)
      const input = JSON.stringify(response.input).length
      if (!responses.set(owner, response.id, response, input + output)) return false
      response.output.forEach((item, at) => items.set(owner, item.id, item, sizes[at]!))
      return true
    },
    conversation: (owner, id) => conversationOf(id, (each) => responses.get(owner, each)),
    item: (owner, id) => items.get(owner, id),
  }
}

/** The conversation up to a response; undefined if any part of it is not found. */
export async function conversationOf(
  id: string,
  find: (id: string) => KeptResponse | undefined | Promise<KeptResponse | undefined>,
): Promise<readonly ConversationItem[] | undefined> {
  const parts: (readonly ConversationItem[])[] = []
  for (let next: string | undefined = id; next !== undefined;) {
    const found: KeptResponse | undefined = await find(next)
    if (!found) return undefined
    const answered = found.output.flatMap(({ item }) => (item ? [item] : []))
    parts.unshift([...found.input, ...answered])
    next = found.previous
  }
  return parts.flat()
}

/** The default limits. */
export const DEFAULTS: StoreLimits = {
  count: 1000,
  size: 16 << 20,
  totalSize: 64 << 20,
  age: 24 * 60 * 60 * 1000,
  now: Date.now,
}

/** The approximate number of items in a response. */
export const ITEMS = 10

/** A tool in a namespace. */
export interface NamespacedTool {
  readonly namespace: string
  readonly name: string
}

/** The tools in namespaces, by their names for the model. */
export type Namespaces = ReadonlyMap<string, NamespacedTool>

/** The name of a tool in a namespace, for a model without namespaces. */
export function flatName(namespace: string, name: string): string {
  return namespace.endsWith('__') ? `${namespace}${name}` : `${namespace}__${name}`
}
