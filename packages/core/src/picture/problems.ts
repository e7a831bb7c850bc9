/** A part of a file that could not be parsed, and the reason. */
export interface PictureProblem {
  readonly message: string
  readonly from: number
  readonly to: number
}

/** A range of a text: from one offset up to another. */
export interface Place {
  readonly from: number
  readonly to: number
}

/** A place without other members. */
export function placeOf({ from, to }: Place): Place {
  return { from, to }
}

/** Aborts the reading of one statement. Later statements are still read. */
export class Misread extends Error {
  readonly place: Place
  constructor(message: string, { from, to }: Place) {
    super(message)
    this.place = { from, to }
  }
}

/** Collects problems, without duplicates and up to a maximum number, and counts work. */
export class Problems {
  readonly #found = new Map<string, PictureProblem>()
  readonly #length: number
  #work = 0

  constructor(length: number) {
    this.#length = length
  }

  /**
   * The amount of work done: characters read, tokens taken, names compared, steps of the
   * interpreter.
   */
  get work(): number {
    return this.#work
  }

  /** Counts work done. */
  count(amount: number): void {
    this.#work += amount
  }

  /**
   * Adds a problem. Pass a function for a message that is expensive to create: it is not called
   * once there are too many problems.
   */
  add(message: string | (() => string), place: Place): void {
    if (this.#found.size >= MAX_PROBLEMS) return
    const from = Math.min(place.from, this.#length)
    const to = Math.max(from, Math.min(place.to, this.#length))
    const said = typeof message === 'string' ? message : message()
    this.#found.set(`${from} ${to} ${said}`, { message: said, from, to })
  }

  /** Runs `work`. If that throws a `Misread`, adds the problem and returns undefined. */
  attempt<T>(work: () => T): T | undefined {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof Misread)) throw error
      this.add(error.message, error.place)
      return undefined
    }
  }

  /** All problems, in the order of the text. */
  list(): PictureProblem[] {
    return [...this.#found.values()].sort((one, other) => one.from - other.from)
  }
}

const MAX_PROBLEMS = 100

/** A name in backticks, shortened if it is very long. */
export function quoted(name: string): string {
  return `\`${name.length > 60 ? `${name.slice(0, 60)}…` : name}\``
}
