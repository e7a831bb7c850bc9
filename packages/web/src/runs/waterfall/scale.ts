import type { Bar, WaterRow } from './rows.ts'

/** Where times are, from 0 to 1. Long breaks, in which nothing happened, are short. */
export interface Scale {
  /** How long all of it took, in milliseconds, with breaks as short as they are drawn. */
  readonly total: number
  readonly place: (time: number) => number
  /** Round times, with where they are. */
  readonly ticks: readonly { readonly time: number; readonly at: number }[]
}

interface Stretch {
  readonly from: number
  to: number
  /** Where it begins, without the breaks before it. */
  start: number
}

/** A break is at most this much of the rest. */
const MAX_BREAK = 0.02
const MAX_TICKS = 6

/** Makes the scale of the rows of a waterfall. */
export function createScale(rows: readonly WaterRow[]): Scale {
  const stretches = stretchesOf(rows.flatMap(({ bars }) => bars))
  const busy = stretches.reduce((sum, { from, to }) => sum + to - from, 0)
  const longest = Math.max(busy * MAX_BREAK, 1)
  let total = 0
  let before: Stretch | undefined
  for (const stretch of stretches) {
    if (before) total += Math.min(stretch.from - before.to, longest)
    stretch.start = total
    total += stretch.to - stretch.from
    before = stretch
  }
  const length = Math.max(total, 1)
  const place = (time: number): number => {
    const stretch = lastBefore(stretches, time)
    if (!stretch) return 0
    const inside = Math.min(time - stretch.from, stretch.to - stretch.from)
    const after = Math.min(Math.max(time - stretch.to, 0), longest)
    return Math.min(1, (stretch.start + inside + after) / length)
  }
  const step = stepOf(length)
  const ticks = Array.from({ length: Math.floor(length / step) + 1 }, (_, at) => ({
    time: at * step,
    at: (at * step) / length,
  }))
  return { total, place, ticks }
}

/** When something happened, without gaps and overlaps. */
function stretchesOf(bars: readonly Bar[]): Stretch[] {
  const sorted = [...bars].sort((one, other) => one.from - other.from)
  const stretches: Stretch[] = []
  for (const { from, to } of sorted) {
    const last = stretches.at(-1)
    if (last && from <= last.to) last.to = Math.max(last.to, to)
    else stretches.push({ from, to: Math.max(from, to), start: 0 })
  }
  return stretches
}

function lastBefore(stretches: readonly Stretch[], time: number): Stretch | undefined {
  let [low, high] = [0, stretches.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (stretches[middle]!.from <= time) low = middle + 1
    else high = middle
  }
  return stretches[low - 1]
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const STEPS = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 20, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 20, 30].map((count) => count * MINUTE),
  ...[1, 2, 4, 8, 12, 24, 48, 168].map((count) => count * HOUR),
]

function stepOf(length: number): number {
  return STEPS.find((step) => length / step < MAX_TICKS) ?? length / MAX_TICKS
}
