/** A text that comes in many small pieces, kept in few: millions of them would be looked at whenever memory is tidied. */
export class TextBuffer {
  #whole = ''
  #latest: string[] = []

  add(piece: string): void {
    if (this.#latest.push(piece) >= MAX) this.#join()
  }

  text(): string {
    this.#join()
    return this.#whole
  }

  #join(): void {
    this.#whole += this.#latest.join('')
    this.#latest = []
  }
}

const MAX = 1024
