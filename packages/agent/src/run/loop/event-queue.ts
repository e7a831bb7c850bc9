/** Passes events from work in progress to a consumer, in order. */
export class EventQueue<Item> {
  /** The items that the consumer is reading, and the number it has read. */
  #batch: readonly Item[] = []
  #read = 0
  /** The following items, and the approximate memory they use. */
  #items: Item[] = []
  #size = 0
  #slots: Slot<Item>[] = []
  /** Consumers waiting for an item. Empty while there are items. */
  #readers: ((result: IteratorResult<Item, never>) => void)[] = []
  #writers: (() => void)[] = []
  /** No consumer reads items anymore. */
  #isOver = false

  /** Adds an event. `length` is the length of its text. */
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

  /** Adds an event that is created only after all events before it have been added. */
  readonly push = (make: () => Item): void => {
    const last = this.#slots.at(-1)
    if (last) last.after.push(make)
    else this.add(make())
  }

  /**
   * Reserves a place for events that are not known yet. Events pushed in the meantime follow them.
   */
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

  /**
   * Returns a promise to await before adding more if the consumer is behind, or undefined if it is
   * keeping up.
   */
  readonly whenRead = (): Promise<void> | undefined =>
    this.#size < MAX_SIZE || this.#isOver
      ? undefined
      : new Promise((resolve) => this.#writers.push(resolve))

  /**
   * Does work and yields the events pushed during it, then the events added by `finish`. When the
   * consumer stops reading, `abandoned` is aborted immediately, even while the consumer is waiting
   * for an event, and the consumer waits until the work has ended. Not a generator function: its
   * `return()` would wait for the next event, and each event would take twice as long.
   */
  during<Value, Result>({
    work: start,
    finish,
    abandoned,
  }: Work<Item, Value, Result>): AsyncGenerator<Item, Result> {
    type Next = IteratorResult<Item, Result>
    let work: Promise<Value> | undefined
    /** Returns the result of the work, or throws its error. Undefined until the work is done. */
    let outcome: (() => Value) | undefined
    let result: { readonly value: Result } | undefined

    const take = (): Next | undefined => {
      if (this.#read === this.#batch.length) this.#startBatch()
      return this.#read < this.#batch.length
        ? { done: false, value: this.#batch[this.#read++]! }
        : undefined
    }
    /** Yields the events after all pushed ones, then ends. */
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
      // Afterwards, waiting consumers get the end.
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
      // Not all runtimes support `Symbol.asyncDispose`.
      ...(Symbol.asyncDispose && { [Symbol.asyncDispose]: stop }),
    }
    return events as AsyncGenerator<Item, Result>
  }

  /** The consumer has read all earlier events, so there is space for more. */
  #startBatch(): void {
    if (this.#items.length === 0) return
    this.#batch = this.#items
    this.#read = 0
    this.#items = []
    this.#size = 0
    for (const resume of this.#writers.splice(0)) resume()
  }
}

/** The approximate memory that an item uses apart from its text, in bytes. */
const ITEM_SIZE = 128

/**
 * The amount that may be added while the consumer reads earlier items, such as 256 events without
 * text.
 */
const MAX_SIZE = 32 << 10

/** Work whose events are read while it runs. */
export interface Work<Item, Value, Result> {
  /** Called when the first event is requested. */
  readonly work: () => Promise<Value>
  /** Aborted when the consumer stops reading. */
  readonly abandoned: AbortController
  /** Returns the last events and the final result. */
  readonly finish: (value: Value) => { readonly last?: readonly Item[]; readonly result: Result }
}

interface Slot<Item> {
  make: (() => readonly Item[]) | undefined
  readonly after: (() => Item)[]
}
