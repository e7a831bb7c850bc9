/** Passes events from work in progress to a consumer. */
export class EventQueue<Item> {
  #items: Item[] = []
  #wake: (() => void) | undefined

  readonly push = (item: Item): void => {
    this.#items.push(item)
    this.#wake?.()
  }

  /** Yields batches of what is pushed while the work runs, and returns the result of the work. */
  async *during<Value>(work: Promise<Value>): AsyncGenerator<readonly Item[], Value> {
    let isDone = false
    const finish = (): void => {
      isDone = true
      this.#wake?.()
    }
    work.then(finish, finish)
    for (;;) {
      const items = this.#items
      this.#items = []
      if (items.length > 0) yield items
      if (this.#items.length > 0) continue
      if (isDone) return await work
      await new Promise<void>((resolve) => (this.#wake = resolve))
      this.#wake = undefined
    }
  }
}
