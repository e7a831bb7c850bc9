import type { SharedValues } from '@toolglot/agent/journal/internal'
import {
  conversationOf,
  DEFAULTS,
  ITEMS,
  type KeptResponse,
  type ResponseStore,
  type OutputItem,
} from './history.ts'

/**
 * A store shared by several servers. Responses are saved while they are being sent, so a request
 * for a missing response waits for a moment.
 */
export function sharedResponseStore(
  values: SharedValues,
  onError: (error: unknown) => void,
): ResponseStore {
  const { count, size, age } = DEFAULTS
  /** Writes in progress, by owner and id. */
  const writing = new Map<string, Promise<unknown>>()

  async function find(space: string, owner: string, id: string): Promise<unknown> {
    const deadline = performance.now() + PATIENCE
    for (;;) {
      await writing.get(`${owner} ${id}`)
      const found = await values.get(space, id, { owner, renew: age })
      if (found !== undefined || performance.now() > deadline) return found
      await new Promise((resolve) => setTimeout(resolve, PATIENCE / 5))
    }
  }

  const response = async (owner: string, id: string): Promise<KeptResponse | undefined> =>
    (await find(RESPONSES, owner, id)) as KeptResponse | undefined

  return {
    keep(owner, kept) {
      if (JSON.stringify(kept).length > size) return false
      const one = { owner, lifetime: age, limits: { count, size } }
      const many = { ...one, limits: { count: count * ITEMS, size } }
      const written = Promise.all([
        values.add(RESPONSES, kept.id, kept, one),
        ...kept.output.map((item) => values.add(RESPONSE_ITEMS, item.id, item, many)),
      ])
      for (const id of [kept.id, ...kept.output.map((item) => item.id)]) {
        const key = `${owner} ${id}`
        writing.set(
          key,
          written.catch(() => {}).finally(() => writing.delete(key)),
        )
      }
      written.catch(onError)
      return true
    },
    conversation: (owner, id) => conversationOf(id, (each) => response(owner, each)),
    item: async (owner, id) => (await find(RESPONSE_ITEMS, owner, id)) as OutputItem | undefined,
  }
}

const RESPONSES = 'responses'
const RESPONSE_ITEMS = 'response-items'

/** The time to wait for a response that another server may be saving, in milliseconds. */
const PATIENCE = 500
