/** Something in a text that is not understood, and where it is. */
export interface PictureProblem {
  readonly message: string
  readonly from: number
  readonly to: number
}

/** A piece of a text: from one position up to another. */
export interface Place {
  readonly from: number
  readonly to: number
}

/** Only the place of something. */
export function placeOf({ from, to }: Place): Place {
  return { from, to }
}

/** Ends the reading of one statement. What follows it is still read. */
export class Misread extends Error {
  readonly place: Place
  constructor(message: string, { from, to }: Place) {
    super(message)
    this.place = { from, to }
  }
}

/** Collects problems: each once, within the text, and not too many of them. Counts what it takes to find them. */
export class Problems {
  readonly #found = new Map<string, PictureProblem>()
  readonly #length: number
  #work = 0

  constructor(length: number) {
    this.#length = length
  }

  /** How much was done: characters read, tokens taken, names compared, steps of the interpreter. */
  get work(): number {
    return this.#work
  }

  /** Counts work that is done. */
  count(amount: number): void {
    this.#work += amount
  }

  /** Adds one. A message that takes work to make is given as a function: it is not called if there are too many already. */
  add(message: string | (() => string), place: Place): void {
    if (this.#found.size >= MAX_PROBLEMS) return
    const from = Math.min(place.from, this.#length)
    const to = Math.max(from, Math.min(place.to, this.#length))
    const said = typeof message === 'string' ? message : message()
    this.#found.set(`${from} ${to} ${said}`, { message: said, from, to })
  }

  /** Runs `work`. If that misreads something, the problem is added, and there is no result. */
  attempt<T>(work: () => T): T | undefined {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof Misread)) throw error
      this.add(error.message, error.place)
      return undefined
    }
  }

  /** All of them, in the order of the text. */
  list(): PictureProblem[] {
    return [...this.#found.values()].sort((one, other) => one.from - other.from)
  }
}

const MAX_PROBLEMS = 100

/** A name as a sentence quotes it, in full unless it is very long. */
export function quoted(name: string): string {
  return `\`${name.length > 60 ? `${name.slice(0, 60)}…` : name}\``
}
