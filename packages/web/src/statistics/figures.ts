import type { ApiAnswer } from '@toolglot/server/client'

/** The server's statistics. */
export type Statistics = ApiAnswer<'GET /api/stats'>
export type ToolFigures = Statistics['tools'][number]
export type ReplyFigures = Statistics['models'][number]
type NamedCount = ToolFigures['errors'][number]

/** The totals at the top. */
export interface Totals {
  readonly calls: number
  readonly malformed: number
  readonly repaired: number
  /** The total number of repairs. */
  readonly repairs: number
  readonly failed: number
  readonly denied: number
}

/** Totals over all tools and models. */
export function totalsOf({ tools, models }: Statistics): Totals {
  return {
    calls: sum(tools, ({ calls }) => calls),
    failed: sum(tools, ({ failed }) => failed),
    denied: sum(tools, ({ denied }) => denied),
    malformed: sum(models, ({ malformed }) => malformed),
    repaired: sum(models, ({ repaired }) => repaired),
    repairs: sum(models, ({ repairs }) => sum(repairs, ({ count }) => count)),
  }
}

/** A sum over a list. */
export function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((total, item) => total + of(item), 0)
}

/** Merges several lists of counts by name, largest first. */
export function addCounts(lists: readonly (readonly NamedCount[])[]): NamedCount[] {
  const counts = new Map<string, number>()
  for (const { name, count } of lists.flat()) counts.set(name, (counts.get(name) ?? 0) + count)
  return [...counts]
    .map(([name, count]) => ({ name, count }))
    .sort((one, other) => other.count - one.count || (one.name < other.name ? -1 : 1))
}

/** The items with the largest counts, in descending order. */
export function most<Item>(
  items: readonly Item[],
  of: (item: Item) => number,
  count: number,
): readonly Item[] {
  return items
    .filter((item) => of(item) > 0)
    .sort((one, other) => of(other) - of(one))
    .slice(0, count)
}

/** The calls of a day. */
export interface Day {
  /** The start of the day in UTC, in milliseconds since 1970. */
  readonly time: number
  readonly done: number
  readonly failed: number
  readonly denied: number
}

const DAY = 86_400_000
/** Earlier days are not drawn, since a record may contain any date. */
const MAX_DAYS = 3660

/** Every day from the first counted one to today, including days without calls. */
export function daysOf({ days, since }: Statistics, now: number): Day[] {
  const today = now - (now % DAY)
  const earliest = today - MAX_DAYS * DAY
  const known = new Map(
    days.flatMap((day) => {
      const time = Date.parse(`${day.day}T00:00:00Z`)
      return Number.isNaN(time) || time > today || time < earliest ? [] : [[time, day] as const]
    }),
  )
  const first = Math.max(earliest, since ?? Math.min(today, ...known.keys()))
  const all: Day[] = []
  for (let time = first - (first % DAY); time <= today; time += DAY) {
    const { succeeded = 0, errors = 0, denied = 0 } = known.get(time) ?? {}
    all.push({ time, done: succeeded, failed: errors, denied })
  }
  return all
}

/** The number of times each model needed each repair, per 100 calls. */
export interface HeatMap {
  /** The repairs with their own columns, most frequent first. */
  readonly repairs: readonly string[]
  /** True if all other repairs share a column. */
  readonly hasOther: boolean
  readonly rows: readonly HeatRow[]
}

/** A model in the heat map: per column, the problems per 100 calls, malformed ones included. */
export interface HeatRow {
  readonly name: string
  readonly calls: number
  readonly cells: readonly number[]
  readonly malformed: number
}

/** The most frequent repairs of the models with the most calls. */
export function heatMapOf(models: readonly ReplyFigures[], columns: number, rows: number): HeatMap {
  const used = most(models, ({ calls, malformed }) => calls + malformed, rows)
  const all = addCounts(used.map(({ repairs }) => repairs)).map(({ name }) => name)
  const hasOther = all.length > columns
  const repairs = all.slice(0, hasOther ? columns - 1 : columns)
  return {
    repairs,
    hasOther,
    rows: used.map((model) => {
      const { name, calls, malformed } = model
      const per100 = (count: number): number => (100 * count) / (calls + malformed)
      const counts = new Map(model.repairs.map((each) => [each.name, each.count]))
      const shown = repairs.map((repair) => counts.get(repair) ?? 0)
      const others = sum(model.repairs, ({ count }) => count) - sum(shown, (count) => count)
      return {
        name,
        calls,
        cells: [...shown, ...(hasOther ? [others] : [])].map(per100),
        malformed: per100(malformed),
      }
    }),
  }
}

/** A logarithmic scale: the position of a duration from 0 to 1, and its ticks. */
export interface LogScale {
  readonly at: (milliseconds: number) => number
  readonly ticks: readonly number[]
}

/** A scale that covers the shortest and the longest duration. */
export function logScale(durations: readonly number[]): LogScale {
  const positive = durations.filter((each) => each > 0)
  const low = Math.floor(Math.log10(Math.max(1, Math.min(...positive, 1e12))))
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(1, ...positive))))
  const ticks: number[] = []
  for (let power = low; power <= high; power++) ticks.push(10 ** power)
  const at = (milliseconds: number): number =>
    Math.min(1, Math.max(0, (Math.log10(Math.max(1, milliseconds)) - low) / (high - low)))
  return { at, ticks }
}
