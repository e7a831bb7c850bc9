/** Text put together from many small pieces: packed now and then, so that neither ropes nor pieces pile up. */
export class Pieces {
  #packed = ''
  #loose: string[] = []
  length = 0

  add(text: string): void {
    this.length += text.length
    if (this.#loose.push(text) >= PACK) this.#pack()
  }

  toString(): string {
    if (this.#loose.length > 0) this.#pack()
    return this.#packed
  }

  #pack(): void {
    const text = this.#loose.length === 1 ? this.#loose[0]! : this.#loose.join('')
    this.#packed = this.#packed === '' ? text : this.#packed + text
    this.#loose = []
  }
}

const PACK = 512
