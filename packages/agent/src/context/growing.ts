/**
 * What was made of a list, for when it comes again with more at its end: a history is looked at in each of its turns, and
 * is not made anew each time.
 */
export class Growing<Item extends object, Made> {
  readonly #known = new WeakMap<Item, Known<Item, Made>>()

  /** Of how many items, from the first on, something was made; and what. It is forgotten: who takes it keeps a longer one. */
  take(items: readonly Item[]): { readonly count: number; readonly made: Made } | undefined {
    const end = Math.max(0, items.length - MAX_NEW)
    for (let at = items.length - 1; at >= end; at--) {
      const known = this.#known.get(items[at]!)
      if (!known || known.items.length !== at + 1 || !beginsWith(items, known.items)) continue
      this.#known.delete(items[at]!)
      return { count: at + 1, made: known.made }
    }
    return undefined
  }

  keep(items: readonly Item[], made: Made): void {
    const last = items.at(-1)
    if (last) this.#known.set(last, { items, made })
  }
}

interface Known<Item, Made> {
  readonly items: readonly Item[]
  readonly made: Made
}

/** How many items a turn adds, at most; what grows by more is made anew. */
const MAX_NEW = 64

function beginsWith<Item>(items: readonly Item[], beginning: readonly Item[]): boolean {
  // From its end, where lists of one kind differ.
  for (let at = beginning.length - 1; at >= 0; at--) if (items[at] !== beginning[at]) return false
  return true
}
