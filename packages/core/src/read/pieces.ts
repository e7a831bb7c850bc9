/** Text assembled from many small pieces, which are joined now and then, so that neither ropes nor pieces pile up. */
export class Pieces {
  #packed: string[] = []
  #loose: string[] = []
  length = 0

  constructor(text = '') {
    if (text !== '') this.add(text)
  }

  add(text: string): void {
    this.length += text.length
    if (this.#loose.push(text) < PACK) return
    this.#packed.push(this.#loose.join(''))
    this.#loose = []
  }

  /** Removes everything from `at` on, and returns it. The cost depends on what is removed, not on the length. */
  cut(at: number): string {
    const taken: string[] = []
    while (this.length > at) {
      const last = this.#loose.pop() ?? this.#packed.pop()!
      const from = Math.max(at - (this.length - last.length), 0)
      this.length -= last.length
      taken.push(last.slice(from))
      if (from > 0) this.add(last.slice(0, from))
    }
    return taken.reverse().join('')
  }

  /** Everything from `at` on, in a string of its own: one that shares memory with the rest would keep all of it. */
  from(at: number): string {
    const taken: string[] = []
    let start = this.length
    for (const list of [this.#loose, this.#packed])
      for (let i = list.length - 1; i >= 0 && start > at; i--) {
        start -= list[i]!.length
        taken.push(list[i]!.slice(Math.max(at - start, 0)))
      }
    return taken.reverse().join('')
  }

  toString(): string {
    return this.#loose.length === 1 && this.#packed.length === 0 ? this.#loose[0]! : this.from(0)
  }
}

const PACK = 512
