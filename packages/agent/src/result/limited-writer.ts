import { boundaryAtOrBefore } from './character-boundary.ts'

/** Takes text up to a limit. What does not fit is left out, and so is all that comes behind it. */
export class LimitedWriter {
  #parts: string[] = []
  #left: number
  #isCut = false

  constructor(most: number) {
    this.#left = most
  }

  /** How many characters still fit. */
  get left(): number {
    return this.#left
  }

  get isCut(): boolean {
    return this.#isCut
  }

  write(text: string): void {
    if (this.#isCut) return
    this.#isCut = text.length > this.#left
    const fits = this.#isCut ? text.slice(0, boundaryAtOrBefore(text, this.#left)) : text
    this.#left -= fits.length
    this.#parts.push(fits)
  }

  text(): string {
    return this.#parts.join('')
  }
}
