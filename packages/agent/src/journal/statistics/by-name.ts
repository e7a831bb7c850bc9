/** How often something of a name occurred. */
export interface NamedCount {
  readonly name: string
  readonly count: number
}

/** Things by name. The first names have one of their own, and all others share one: names come from models and imports. */
export class ByName<Thing> {
  readonly #things = new Map<string, Thing>()
  readonly #create: () => Thing
  readonly #max: number

  constructor(create: () => Thing, max = 1000) {
    this.#create = create
    this.#max = max
  }

  of(name: string): Thing {
    const own = this.#things.get(name)
    if (own !== undefined) return own
    const isFull = this.#things.size - Number(this.#things.has(OTHER)) >= this.#max
    if (isFull && name !== OTHER) return this.of(OTHER)
    const thing = this.#create()
    this.#things.set(name, thing)
    return thing
  }

  /** Sorted by name, so that the order in which they came does not matter. */
  map<Result>(make: (name: string, thing: Thing) => Result): Result[] {
    return [...this.#things]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, thing]) => make(name, thing))
  }
}

/** The name of everything that has no place of its own. */
export const OTHER = 'other'

/** Counts by name. */
export class CountTally {
  // Each of a thousand tools may have as many types of errors.
  readonly #counts = new ByName(() => ({ count: 0 }), 100)

  add(name: string, count = 1): void {
    this.#counts.of(name).count += count
  }

  result(): NamedCount[] {
    return this.#counts.map((name, { count }) => ({ name, count }))
  }
}
