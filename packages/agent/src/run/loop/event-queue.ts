/** Events on their way from work that goes on to whoever reads them. */
export class EventQueue<Item> {
  #items: Item[] = []
  #wake: (() => void) | undefined

  readonly push = (item: Item): void => {
    this.#items.push(item)
    this.#wake?.()
  }

  /** Gives what is pushed while the work goes on, as much as there is at once, and then what the work gave. */
  async *during<Value>(work: Promise<Value>): AsyncGenerator<readonly Item[], Value> {
    let isOver = false
    const over = (): void => {
      isOver = true
      this.#wake?.()
    }
    work.then(over, over)
    for (;;) {
      const items = this.#items
      this.#items = []
      if (items.length > 0) yield items
      if (this.#items.length > 0) continue
      if (isOver) return await work
      await new Promise<void>((resolve) => (this.#wake = resolve))
      this.#wake = undefined
    }
  }
}
