/** The number of occurrences of a name. */
export interface NamedCount {
  readonly name: string
  readonly count: number
}

/**
 * A map by name with a maximum size. Names come from models and imports, so once the map is full,
 * all further names share one entry.
 */
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

  /** The results for all entries, sorted by name. */
  map<Result>(make: (name: string, thing: Thing) => Result): Result[] {
    return [...this.#things]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, thing]) => make(name, thing))
  }
}

/** The name shared by all further entries. */
export const OTHER = 'other'

/** Counts by name. */
export class CountTally {
  // A smaller limit, because each of a thousand tools may have its own types of errors.
  readonly #counts = new ByName(() => ({ count: 0 }), 100)

  add(name: string, count = 1): void {
    this.#counts.of(name).count += count
  }

  result(): NamedCount[] {
    return this.#counts.map((name, { count }) => ({ name, count }))
  }
}

/**
 * The start of a period of days ending today, in UTC: milliseconds since 1970. With 1, the start of
 * today.
 */
export function startOfLastDays(days: number, now: number = Date.now()): number {
  return now - (now % DAY) - (days - 1) * DAY
}

/** The UTC date of a time, such as 2026-01-31. */
export function dayOf(time: number): string {
  // Years after 9999 have more digits, and some numbers are not valid times.
  return time >= 0 && time <= LAST_TIME ? new Date(time).toISOString().slice(0, 10) : OTHER
}

const LAST_TIME = Date.UTC(9999, 11, 31)
/** Milliseconds per day. */
const DAY = 86_400_000

/** Statistics of durations, in milliseconds. Adding them loses no precision. */
export interface Durations {
  readonly count: number
  readonly total: number
  readonly max: number
  /** Accurate to a tenth. */
  readonly median: number
  /** The 95th percentile, accurate to a tenth. */
  readonly p95: number
  /**
   * The number of durations in each bucket: `[size, count]`. Each bucket is a quarter of a doubling
   * wide.
   */
  readonly histogram: readonly (readonly [size: number, count: number])[]
}

/** Collects durations. */
export class DurationTally {
  #count = 0
  #total = 0
  #max = 0
  readonly #sizes = new Map<number, number>()

  /** Counts a duration. Invalid values are ignored. */
  addOne(value: unknown): void {
    if (!isDuration(value)) return
    const duration = Math.round(value)
    this.#addMany({
      count: 1,
      total: duration,
      max: duration,
      histogram: [[sizeOf(duration), 1]],
    })
  }

  add(durations: Durations): void {
    this.#addMany(durations)
  }

  #addMany({ count, total, max, histogram }: Omit<Durations, 'median' | 'p95'>): void {
    this.#count += count
    this.#total += total
    this.#max = Math.max(this.#max, max)
    for (const [size, more] of histogram) this.#sizes.set(size, (this.#sizes.get(size) ?? 0) + more)
  }

  result(): Durations {
    const histogram = [...this.#sizes].sort(([one], [other]) => one - other)
    const count = this.#count
    const within = (part: number): number =>
      count === 1 ? this.#max : Math.min(quantileOf(histogram, count * part), this.#max)
    return {
      count,
      total: this.#total,
      max: this.#max,
      median: within(0.5),
      p95: within(0.95),
      histogram,
    }
  }
}

/** Converts a duration to whole milliseconds. Invalid values become 0. */
export function timeOf(value: unknown): number {
  return isDuration(value) ? Math.round(value) : 0
}

function isDuration(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= MAX
}

/** The duration that this many durations do not exceed. */
const MAX = 1e12

const PER_DOUBLING = 4

function sizeOf(duration: number): number {
  return duration < 1 ? 0 : 1 + Math.floor(Math.log2(duration) * PER_DOUBLING)
}

/** The smallest bucket that covers this many durations. */
function quantileOf(histogram: Durations['histogram'], wanted: number): number {
  let before = 0
  for (const [size, here] of histogram) {
    before += here
    if (before >= wanted) return size === 0 ? 0 : Math.round(2 ** ((size - 0.5) / PER_DOUBLING))
  }
  return 0
}
