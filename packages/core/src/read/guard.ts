import type { Input } from './input.ts'
import type { Marks } from './marks.ts'

/** Looks out for marks ahead of a reader, and remembers how far it has looked: each character is looked at once. */
export class Guard {
  readonly marks: Marks
  readonly #input: Input
  /** Where a mark was found, and up to where there is none. */
  #found = -1
  #clear = 0

  constructor(input: Input, marks: Marks) {
    this.#input = input
    this.marks = marks
  }

  /** How far from here there is no mark. `hit` tells whether there is one then. */
  clearance(): { count: number; hit: boolean } {
    const input = this.#input
    const { place } = input
    if (this.#found >= place) return { count: this.#found - place, hit: true }
    const count = input.scan(this.marks, { from: Math.max(this.#clear - place, 0) })
    if (input.hit) this.#found = place + count
    this.#clear = place + count
    return { count, hit: input.hit }
  }
}
