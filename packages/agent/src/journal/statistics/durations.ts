/** Durations in milliseconds. Sums of them are as exact as their parts. */
export interface Durations {
  readonly count: number
  readonly total: number
  readonly max: number
  /** About: within a tenth. */
  readonly median: number
  /** 95 of 100 are not longer than this. About: within a tenth. */
  readonly p95: number
  /** How many there are of each size: `[size, count]`, where a size is a quarter of a doubling. */
  readonly histogram: readonly (readonly [size: number, count: number])[]
}

/** Durations that are still counted. */
export class DurationTally {
  #count = 0
  #total = 0
  #max = 0
  readonly #sizes = new Map<number, number>()

  /** Counts a duration. What is not one is ignored. */
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

/** A duration in whole milliseconds; 0 for what is not one. */
export function timeOf(value: unknown): number {
  return isDuration(value) ? Math.round(value) : 0
}

function isDuration(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= MAX
}

/** 30 years: longer is not a duration. */
const MAX = 1e12

const PER_DOUBLING = 4

function sizeOf(duration: number): number {
  return duration < 1 ? 0 : 1 + Math.floor(Math.log2(duration) * PER_DOUBLING)
}

/** A duration that so many are not longer than. */
function quantileOf(histogram: Durations['histogram'], wanted: number): number {
  let before = 0
  for (const [size, here] of histogram) {
    before += here
    if (before >= wanted) return size === 0 ? 0 : Math.round(2 ** ((size - 0.5) / PER_DOUBLING))
  }
  return 0
}
