/**
 * Caches a value computed from a list and extends it when the list has grown. Every turn processes
 * the whole history, but only its new end should cost time.
 */
export class PrefixCache<Item extends object, Value> {
  readonly #entries = new WeakMap<Item, Entry<Item, Value>>()

  /**
   * Removes and returns the value of the longest cached prefix, with the length of that prefix. The
   * caller may extend and store it.
   */
  take(items: readonly Item[]): { readonly length: number; readonly value: Value } | undefined {
    const end = Math.max(0, items.length - MAX_NEW)
    for (let at = items.length - 1; at >= end; at--) {
      const entry = this.#entries.get(items[at]!)
      if (!entry || entry.items.length !== at + 1 || !startsWith(items, entry.items)) continue
      this.#entries.delete(items[at]!)
      return { length: at + 1, value: entry.value }
    }
    return undefined
  }

  /** Stores the value of a list, which must not change afterwards. */
  store(items: readonly Item[], value: Value): void {
    const last = items.at(-1)
    if (last) this.#entries.set(last, { items, value })
  }
}

interface Entry<Item, Value> {
  readonly items: readonly Item[]
  readonly value: Value
}

/** The maximum number of items added per turn. A list that grew by more is not recognized. */
const MAX_NEW = 64

function startsWith<Item>(items: readonly Item[], prefix: readonly Item[]): boolean {
  // Compare from the end, because similar lists differ there.
  for (let at = prefix.length - 1; at >= 0; at--) if (items[at] !== prefix[at]) return false
  return true
}
