/** Passes events from work in progress to a consumer, in order. */
export class EventQueue<Item> {
  #items: Item[] = []
  #slots: Slot<Item>[] = []
  #wake: (() => void) | undefined

  /** Adds an event. It is made when those before it are there. */
  readonly push = (make: () => Item): void => {
    const last = this.#slots.at(-1)
    if (last) last.after.push(make)
    else this.#add(make())
  }

  /** Reserves a place for events that are not known yet. What is pushed meanwhile comes after them. */
  reserve(): (make: () => readonly Item[]) => void {
    const slot: Slot<Item> = { make: undefined, after: [] }
    this.#slots.push(slot)
    return (make) => {
      slot.make = make
      for (let first = this.#slots[0]; first?.make; first = this.#slots[0]) {
        for (const item of first.make()) this.#add(item)
        for (const after of first.after) this.#add(after())
        this.#slots.shift()
      }
    }
  }

  /**
   * Yields what is pushed while the work runs, and returns the result of the work. A consumer that stops reading aborts
   * `abandoned`, and waits until the work has ended.
   */
  async *during<Value>(
    work: Promise<Value>,
    abandoned: AbortController,
  ): AsyncGenerator<Item, Value> {
    let isDone = false
    const finish = (): void => {
      isDone = true
      this.#wake?.()
    }
    work.then(finish, finish)
    try {
      for (;;) {
        const items = this.#items
        this.#items = []
        for (const item of items) yield item
        if (this.#items.length > 0) continue
        if (isDone) return await work
        await new Promise<void>((resolve) => (this.#wake = resolve))
        this.#wake = undefined
      }
    } finally {
      abandoned.abort()
      await work.catch(() => {})
    }
  }

  #add(item: Item): void {
    this.#items.push(item)
    this.#wake?.()
  }
}

interface Slot<Item> {
  make: (() => readonly Item[]) | undefined
  readonly after: (() => Item)[]
}
