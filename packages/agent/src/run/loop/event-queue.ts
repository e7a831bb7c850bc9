/** Passes events from work in progress to a consumer, in order. */
export class EventQueue<Item> {
  /** The items that the consumer reads now, and how many it has read. */
  #batch: readonly Item[] = []
  #read = 0
  /** The items after those, and the approximate memory that they take. */
  #items: Item[] = []
  #size = 0
  #slots: Slot<Item>[] = []
  /** Consumers that wait for an item. There are none while there are items. */
  #readers: ((result: IteratorResult<Item, never>) => void)[] = []
  #writers: (() => void)[] = []
  /** Nobody reads the items any more. */
  #isOver = false

  /** Adds an event. `length` is how much text it has. */
  add(item: Item, length = 0): void {
    if (this.#isOver) return
    const reader = this.#readers.shift()
    if (reader) {
      reader({ done: false, value: item })
      return
    }
    this.#items.push(item)
    this.#size += length + ITEM_SIZE
  }

  /** Adds an event, to be made when all events before it have been added. */
  readonly push = (make: () => Item): void => {
    const last = this.#slots.at(-1)
    if (last) last.after.push(make)
    else this.add(make())
  }

  /** Reserves a place for events that are not known yet. Events that are pushed meanwhile follow them. */
  reserve(): (make: () => readonly Item[]) => void {
    const slot: Slot<Item> = { make: undefined, after: [] }
    this.#slots.push(slot)
    return (make) => {
      slot.make = make
      for (let first = this.#slots[0]; first?.make; first = this.#slots[0]) {
        for (const item of first.make()) this.add(item)
        for (const after of first.after) this.add(after())
        this.#slots.shift()
      }
    }
  }

  /** A promise to await before more is added, if the consumer is behind; undefined while it keeps up. */
  readonly whenRead = (): Promise<void> | undefined =>
    this.#size < MAX_SIZE || this.#isOver
      ? undefined
      : new Promise((resolve) => this.#writers.push(resolve))

  /**
   * Does some work, and yields the events that are pushed meanwhile and those that `finish` adds. A consumer that stops reading
   * aborts `abandoned` at once, even while it waits for an event, and waits until the work has ended. It is not a generator
   * function: `return()` would wait for the next event, and each event would take twice as long.
   */
  during<Value, Result>({
    work: start,
    finish,
    abandoned,
  }: Work<Item, Value, Result>): AsyncGenerator<Item, Result> {
    type Next = IteratorResult<Item, Result>
    let work: Promise<Value> | undefined
    /** Returns what the work did, or throws. Undefined while it is not done. */
    let outcome: (() => Value) | undefined
    let result: { readonly value: Result } | undefined

    const take = (): Next | undefined => {
      if (this.#read === this.#batch.length) this.#startBatch()
      return this.#read < this.#batch.length
        ? { done: false, value: this.#batch[this.#read++]! }
        : undefined
    }
    /** The items after all that were pushed, and the end. */
    const conclude = (): Next => {
      if (this.#isOver) return { done: true, value: undefined as Result }
      if (!result) {
        const { last = [], result: value } = finish(outcome!())
        result = { value }
        for (const item of last) this.add(item)
      }
      const next = take()
      if (next) return next
      this.#isOver = true
      abandoned.abort()
      return { done: true, value: result.value }
    }
    const tryConclude = async (): Promise<Next> => {
      try {
        return conclude()
      } catch (error) {
        this.#isOver = true
        abandoned.abort()
        throw error
      }
    }
    const settle = (done: () => Value): void => {
      outcome = done
      const readers = this.#readers
      this.#readers = []
      for (const reader of readers) reader(tryConclude() as never)
    }
    const stop = async (): Promise<void> => {
      this.#isOver = true
      this.#startBatch()
      this.#batch = []
      if (!work) return
      abandoned.abort()
      // Consumers that wait for an event then get the end.
      await work.catch(() => {})
    }

    const events: Omit<AsyncGenerator<Item, Result>, typeof Symbol.asyncDispose> = {
      next: () => {
        if (!work && !this.#isOver) {
          work = start()
          work.then(
            (value) => settle(() => value),
            (error: unknown) =>
              settle(() => {
                throw error
              }),
          )
        }
        const next = take()
        if (next) return Promise.resolve(next)
        if (outcome || this.#isOver) return tryConclude()
        return new Promise<Next>((resolve) => this.#readers.push(resolve))
      },
      async return(value) {
        await stop()
        return { done: true, value: await value }
      },
      async throw(error) {
        await stop()
        throw error
      },
      [Symbol.asyncIterator]: () => events as AsyncGenerator<Item, Result>,
      // Not every runtime has it yet.
      ...(Symbol.asyncDispose && { [Symbol.asyncDispose]: stop }),
    }
    return events as AsyncGenerator<Item, Result>
  }

  /** The consumer has read everything before: there is room for more. */
  #startBatch(): void {
    if (this.#items.length === 0) return
    this.#batch = this.#items
    this.#read = 0
    this.#items = []
    this.#size = 0
    for (const resume of this.#writers.splice(0)) resume()
  }
}

/** About how much memory an item takes besides its text, in bytes. */
const ITEM_SIZE = 128

/** How much is added while the consumer reads earlier items: for example, 256 events without text. */
const MAX_SIZE = 32 << 10

/** Work that is done while its events are read. */
export interface Work<Item, Value, Result> {
  /** Called when the first event is requested. */
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
