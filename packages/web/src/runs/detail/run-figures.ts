import type { Item, RunView } from '@toolglot/react/view'
import { callBars } from '../waterfall/rows.ts'

/** What a run amounts to. */
export interface RunFigures {
  readonly turns: number
  readonly calls: number
  readonly repairs: number
  readonly malformed: number
  readonly tokens: number
  /** How long it waited for a person, in milliseconds. Waits at the same time count once. */
  readonly waited: number
}

/** Counts what happened in a run. */
export function runFigures(
  { items, usage }: Pick<RunView, 'items' | 'usage'>,
  now: number,
): RunFigures {
  let [turns, calls, repairs, malformed] = [0, 0, 0, 0]
  const waits: (readonly [from: number, to: number])[] = []
  for (const part of partsOf(items)) {
    if (part.type === 'malformed') malformed++
    if (part.type !== 'call') continue
    calls++
    repairs += part.call?.repairs.length ?? 0
    for (const { kind, from, to } of callBars(part, now))
      if (kind === 'wait') waits.push([from, to])
  }
  for (const item of items) if (item.type === 'turn' && !item.isUnfinished) turns++
  return {
    turns,
    calls,
    repairs,
    malformed,
    tokens: usage.input + usage.output,
    waited: covered(waits),
  }
}

function partsOf(items: readonly Item[]) {
  return items.flatMap((item) => (item.type === 'turn' ? item.parts : []))
}

/** How much of the time is covered by at least one of them. */
function covered(spans: readonly (readonly [from: number, to: number])[]): number {
  let [sum, end] = [0, -Infinity]
  for (const [from, to] of [...spans].sort(([one], [other]) => one - other)) {
    sum += Math.max(0, to - Math.max(from, end))
    end = Math.max(end, to)
  }
  return sum
}
