import type { ConversationItem } from '../request.ts'
import type { OutputItem } from './history.ts'
import { OwnedStore, type StoreLimits } from './owned-store.ts'

/** A response, and what it was an answer to. */
export interface KeptResponse {
  readonly id: string
  /** The response that it continues. */
  readonly previous: string | undefined
  readonly input: readonly ConversationItem[]
  readonly output: readonly OutputItem[]
}

/** What was answered, for clients that refer to it: each owner sees only its own. */
export interface ResponseStore {
  /** Keeps a response. Returns false if it is too large. */
  keep(owner: string, response: KeptResponse): boolean
  /** The conversation up to a response, with it; undefined if any of it is not kept. */
  conversation(owner: string, id: string): Promise<readonly ConversationItem[] | undefined>
  /** An item of a response. */
  item(owner: string, id: string): OutputItem | undefined | Promise<OutputItem | undefined>
}

/** Creates a store. Items outlive their responses, since they are small. */
export function createResponseStore(limits: Partial<StoreLimits> = {}): ResponseStore {
  const all: StoreLimits = { ...DEFAULTS, ...limits }
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

/** The conversation up to a response; undefined if any of it is not found. */
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

/** How much is kept if nothing else is said. */
export const DEFAULTS: StoreLimits = {
  count: 1000,
  size: 16 << 20,
  totalSize: 64 << 20,
  age: 24 * 60 * 60 * 1000,
  now: Date.now,
}

/** About how many items a response has. */
export const ITEMS = 10
