import { type CallPart, callState, type Item, type Part, type TurnItem } from '@toolglot/react/view'
import { callLook, isQuiet } from '../../chat/rows/call-look.ts'

/**
 * The kind of a bar: waiting for the first token, the model, a tool, waiting for the user, or a
 * failure.
 */
type BarKind = 'first' | 'model' | 'tool' | 'wait' | 'bad'

/** A period of a turn or call, in milliseconds since 1970. */
export interface Bar {
  readonly kind: BarKind
  readonly from: number
  readonly to: number
}

/** A row of the waterfall. `key` is unique and stable. */
export type WaterRow =
  | { readonly type: 'turn'; readonly key: string; readonly item: TurnItem; readonly bars: Bars }
  | {
      readonly type: 'call'
      readonly key: string
      readonly turn: number
      readonly part: CallPart
      readonly bars: Bars
    }
  /** Calls that need no attention. */
  | {
      readonly type: 'group'
      readonly key: string
      readonly turn: number
      readonly calls: readonly CallPart[]
      readonly bars: Bars
    }
  | { readonly type: 'malformed'; readonly key: string; readonly turn: number; readonly bars: Bars }

type Bars = readonly Bar[]

/**
 * Returns the rows of a run: one for each turn, followed by one for each call. Calls that need no
 * attention share a row, unless one of them is selected. Rows of unchanged turns are the same
 * objects as before.
 */
export function createWaterfall(): (
  items: readonly Item[],
  selected: string | undefined,
  now: number,
) => readonly WaterRow[] {
  const known = new WeakMap<TurnItem, { selected: string | undefined; rows: readonly WaterRow[] }>()
  return (items, selected, now) =>
    items.flatMap((item) => {
      if (item.type !== 'turn') return []
      const here = item.parts.some((part) => part.id === selected) ? selected : undefined
      const before = known.get(item)
      if (before?.selected === here && before) return before.rows
      const rows = rowsOf(item, here, now)
      // Periods in progress keep growing, so their rows are not cached.
      if (!isGoingOn(item)) known.set(item, { selected: here, rows })
      return rows
    })
}

function isGoingOn({ isOpen, parts }: TurnItem): boolean {
  return isOpen || parts.some((part) => part.type === 'call' && callState(part) !== 'ended')
}

function rowsOf(item: TurnItem, selected: string | undefined, now: number): readonly WaterRow[] {
  const { turn, parts } = item
  const bars = turnBars(item, now)
  const rows: WaterRow[] = [{ type: 'turn', key: item.id, item, bars }]
  let quiet: CallPart[] = []
  const flush = (): void => {
    const isOpen = quiet.length === 1 || quiet.some(({ id }) => id === selected)
    if (isOpen) for (const part of quiet) rows.push(callRow(part, turn, now))
    else if (quiet.length > 1) {
      const [first] = quiet as [CallPart]
      const all = quiet.flatMap((part) => callBars(part, now))
      rows.push({ type: 'group', key: `group:${first.id}`, turn, calls: quiet, bars: all })
    }
    quiet = []
  }
  for (const part of parts) {
    if (part.type === 'call' && isQuiet(part)) quiet.push(part)
    else if (part.type === 'call' || part.type === 'malformed') {
      flush()
      rows.push(part.type === 'call' ? callRow(part, turn, now) : malformedRow(part, turn, bars))
    }
  }
  flush()
  return rows
}

function callRow(part: CallPart, turn: number, now: number): WaterRow {
  return { type: 'call', key: part.id, turn, part, bars: callBars(part, now) }
}

/** The failure is shown at the time the reply was complete. */
function malformedRow({ id }: Part, turn: number, bars: Bars): WaterRow {
  const end = bars.at(-1)?.to
  return {
    type: 'malformed',
    key: id,
    turn,
    bars: end === undefined ? [] : [{ kind: 'bad', from: end, to: end }],
  }
}

function turnBars({ started, firstToken = 0, duration, isOpen }: TurnItem, now: number): Bars {
  const end =
    duration === undefined ? (isOpen ? Math.max(now, started) : started) : started + duration
  const first = Math.min(started + firstToken, end)
  return [
    ...(first > started ? [{ kind: 'first', from: started, to: first } as const] : []),
    { kind: 'model', from: first, to: end },
  ]
}

/** The time a call waited for the user, and its execution time. */
export function callBars(part: CallPart, now: number): Bars {
  const { approval, question, outcome } = part
  const bars: Bar[] = []
  const started = part.started ?? outcome?.started ?? undefined
  if (approval) {
    const to = approval.answer?.time ?? started ?? (outcome ? approval.since : now)
    bars.push({ kind: 'wait', from: approval.since, to: Math.max(approval.since, to) })
  }
  if (started !== undefined) {
    const to = outcome ? started + outcome.duration : Math.max(now, started)
    const kind = question ? 'wait' : callLook(part).tone === 'no' ? 'bad' : 'tool'
    bars.push({ kind, from: started, to })
  }
  return bars
}

/** Maps times to positions from 0 to 1. Long idle breaks are shortened. */
export interface Scale {
  /** The total time in milliseconds, with breaks shortened as drawn. */
  readonly total: number
  readonly place: (time: number) => number
  /** Round times and their positions. */
  readonly ticks: readonly { readonly time: number; readonly at: number }[]
}

interface Stretch {
  readonly from: number
  to: number
  /** Its start on the shortened time line. */
  start: number
}

/** The maximum length of a break, relative to the rest. */
const MAX_BREAK = 0.02
const MAX_TICKS = 6

/** Creates the scale for the rows of a waterfall. */
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

/** The periods with activity, merged and sorted. */
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
