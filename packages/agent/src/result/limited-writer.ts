import { boundaryAtOrBefore } from './character-boundary.ts'

/** Collects text up to a limit. Text that does not fit is dropped, and so is everything after it. */
export class LimitedWriter {
  #parts: string[] = []
  #left: number
  #isCut = false

  constructor(maxLength: number) {
    this.#left = maxLength
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
