/** Joins many small pieces of text now and then, so that the garbage collector has few strings to visit. */
export class TextBuffer {
  #joined = ''
  #latest: string[] = []

  add(piece: string): void {
    if (this.#latest.push(piece) >= MAX_PIECES) this.#join()
  }

  toString(): string {
    this.#join()
    return this.#joined
  }

  #join(): void {
    this.#joined += this.#latest.join('')
    this.#latest = []
  }
}

const MAX_PIECES = 64
