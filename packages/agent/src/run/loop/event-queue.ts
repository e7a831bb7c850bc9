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
   * Does some work, and yields what is pushed meanwhile and what `finish` adds at the end. A consumer that stops reading
   * aborts `abandoned`, and waits until the work has ended.
   */
  async *during<Value, Result>({
    work: start,
    finish,
    abandoned,
  }: Work<Item, Value, Result>): AsyncGenerator<Item, Result> {
    const work = start()
    let isDone = false
    const wake = (): void => {
      isDone = true
      this.#wake?.()
    }
    work.then(wake, wake)
    try {
      for (;;) {
        const items = this.#items
        this.#items = []
        for (const item of items) yield item
        if (this.#items.length > 0) continue
        if (isDone) break
        await new Promise<void>((resolve) => (this.#wake = resolve))
        this.#wake = undefined
      }
      const { last = [], result } = finish(await work)
      for (const item of last) yield item
      return result
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

/** Work that is done while its events are read. */
export interface Work<Item, Value, Result> {
  /** Called when the first event is asked for. */
  readonly work: () => Promise<Value>
  /** Aborted when nobody reads the events any more. */
  readonly abandoned: AbortController
  /** The events at the end, and what is returned. */
  readonly finish: (value: Value) => { readonly last?: readonly Item[]; readonly result: Result }
}

interface Slot<Item> {
  make: (() => readonly Item[]) | undefined
  readonly after: (() => Item)[]
}
