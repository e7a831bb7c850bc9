import { firstOver } from '../pieces.ts'
import { type Counts, FLAGS, KINDS, type Reading } from '../worker/messages.ts'

/** The reading at a step of the replay. */
export interface Shown {
  readonly step: number
  /** The amount of text that had arrived. */
  readonly until: number
  /** The number of pieces, and the end of the last one. */
  readonly pieces: number
  readonly place: number
  /** The number of these pieces in the list. */
  readonly listed: number
  /** The name of the call that was being written. */
  readonly openName: string | undefined
}

/** The reading at a step; undefined for the end. Only performs lookups. */
export function shownAt(reading: Reading, wanted: number | undefined): Shown {
  const { steps, listed, length } = reading
  const step = Math.min(wanted ?? steps.count, steps.count)
  const pieces = steps.pieces[step] ?? 0
  const open = steps.open[step] ?? -1
  return {
    step,
    until: Math.min(step * steps.chunk, length),
    pieces,
    place: steps.places[step] ?? 0,
    listed: pieces === 0 ? 0 : firstOver(listed, pieces - 1),
    openName: open < 0 ? undefined : steps.openNames[open],
  }
}

/**
 * The counts at that step. The number of repairs is known only at the end; a call with several
 * problems counts as one.
 */
export function countsAt({ kinds, flags, counts }: Reading, { pieces }: Shown): Counts {
  if (pieces === kinds.length) return counts
  const found = { calls: 0, cut: 0, problems: 0, repairs: 0, malformed: 0, forged: 0 }
  for (let piece = 0; piece < pieces; piece++) {
    const kind = KINDS[kinds[piece]!]
    if (kind === 'call') {
      found.calls++
      if (flags[piece]! & FLAGS.cut) found.cut++
      if (flags[piece]! & FLAGS.problem) found.problems++
    } else if (kind === 'malformed') found.malformed++
    else if (kind === 'made-up') found.forged++
  }
  return found
}

/** The next or previous step at which a piece began or ended. */
export function eventStep({ steps }: Reading, from: number, direction: 1 | -1): number {
  const { events, count } = steps
  if (direction === 1) return events[firstOver(events, from)] ?? count
  return events[firstOver(events, from - 1) - 1] ?? 0
}
