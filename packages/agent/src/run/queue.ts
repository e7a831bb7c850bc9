/** Events on their way from work that goes on to whoever reads them. */
export class Queue<Item> {
  #items: Item[] = []
  #wake: (() => void) | undefined

  readonly push = (item: Item): void => {
    this.#items.push(item)
    this.#wake?.()
  }

  /** Gives what is pushed while the work goes on, and then what the work gave. */
  async *during<Value>(work: Promise<Value>): AsyncGenerator<Item, Value> {
    let isOver = false
    const over = (): void => {
      isOver = true
      this.#wake?.()
    }
    work.then(over, over)
    for (;;) {
      const items = this.#items
      this.#items = []
      yield* items
      if (this.#items.length > 0) continue
      if (isOver) return await work
      await new Promise<void>((resolve) => (this.#wake = resolve))
      this.#wake = undefined
    }
  }
}
