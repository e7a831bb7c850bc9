import { TemplateLimit } from './template-error.ts'

/** The limits of a template. */
export interface TemplateLimits {
  /** The maximum number of evaluated nodes, counting repetitions. */
  readonly steps: number
  /** The maximum number of characters read and written. A list item counts as 20. */
  readonly work: number
  /** The maximum length of any string in characters, including the prompt. */
  readonly length: number
  /** The maximum depth of nested calls and values. */
  readonly depth: number
  /**
   * The maximum time in milliseconds: a second line of defense in case work is counted incorrectly.
   */
  readonly time: number
}

export const templateLimits: TemplateLimits = {
  steps: 2_000_000,
  work: 200_000_000,
  length: 8_000_000,
  depth: 100,
  time: 10_000,
}

/** The cost of a list item: the number of characters that take as long to process. */
export const ITEM = 20

/** The number of operations between two checks of the clock. */
const LOOKS = 256

/** Counts the work of a template and stops it at a limit. */
export class Budget {
  readonly limits: TemplateLimits
  #steps = 0
  #work = 0
  #depth = 0
  #looks = 0
  readonly #started = performance.now()

  constructor(limits: TemplateLimits) {
    this.limits = limits
  }

  /** Counts the evaluation of a node. */
  step(): void {
    this.#steps += 1
    if (this.#steps > this.limits.steps)
      throw new TemplateLimit(`it takes more than ${this.limits.steps} steps`)
    this.#lookAtClock()
  }

  /** Counts characters that are read or written. Must be called before the work is done. */
  spend(amount: number): void {
    this.#work += amount
    // The condition also rejects NaN.
    if (!(this.#work <= this.limits.work))
      throw new TemplateLimit(
        `it reads and writes more than ${this.limits.work} characters in total`,
      )
    this.#lookAtClock()
  }

  #lookAtClock(): void {
    if (++this.#looks % LOOKS > 0) return
    if (performance.now() - this.#started > this.limits.time)
      throw new TemplateLimit(`it takes more than ${this.limits.time / 1000} seconds`)
  }

  /** Counts items of a list that are read or written. */
  items(count: number): void {
    this.spend(count * ITEM)
  }

  /** Counts the creation of a string. Must be called before it is created. */
  text(length: number): void {
    this.fits(length)
    this.spend(length)
  }

  /**
   * Checks the length of a string without charging for it, for appending: only the appended part
   * costs work.
   */
  fits(length: number): void {
    if (!(length <= this.limits.length))
      throw new TemplateLimit(`it writes a text of more than ${this.limits.length} characters`)
  }

  /** Runs a function that may be recursive, and checks the depth. */
  nested<Result>(run: () => Result): Result {
    if (this.#depth >= this.limits.depth)
      throw new TemplateLimit(`it nests calls or values more than ${this.limits.depth} deep`)
    this.#depth += 1
    try {
      return run()
    } finally {
      this.#depth -= 1
    }
  }
}
