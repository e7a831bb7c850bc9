import { firstOver } from '../pieces.ts'
import type { Pieces } from '../worker/messages.ts'

/** A part of a text: from, to. */
export type Part = readonly [from: number, to: number]

/** How much around a difference is shown. */
const AROUND = 24

/** The parts of a text that not all readings read as the same, with a little around each. */
export function differences(readings: readonly Pieces[], length: number): readonly Part[] {
  const cuts = new Set<number>([0, length])
  for (const { ends } of readings) for (const end of ends) cuts.add(end)
  const sorted = [...cuts].sort((a, b) => a - b)
  const parts: [number, number][] = []
  for (let at = 0; at + 1 < sorted.length; at++) {
    const from = sorted[at]!
    const kinds = readings.map(({ kinds: all, ends }) => all[firstOver(ends, from)])
    if (kinds.every((kind) => kind === kinds[0])) continue
    const start = Math.max(0, from - AROUND)
    const end = Math.min(length, sorted[at + 1]! + AROUND)
    const last = parts.at(-1)
    if (last && start <= last[1]) last[1] = end
    else parts.push([start, end])
  }
  return parts
}
