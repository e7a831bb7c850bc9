import { FLAGS, KINDS, type Reading } from '../worker/messages.ts'

/** What a badge in the header counts. */
export type Counted = 'cut' | 'problems' | 'repairs' | 'malformed' | 'forged'

/** The first piece that is counted there. */
export function firstOf({ kinds, flags }: Reading, counted: Counted): number | undefined {
  const kind = KINDS.indexOf(counted === 'malformed' ? 'malformed' : 'made-up')
  const flag =
    counted === 'cut' ? FLAGS.cut : counted === 'problems' ? FLAGS.problem : FLAGS.repaired
  const isKind = counted === 'malformed' || counted === 'forged'
  const at = isKind ? kinds.indexOf(kind) : flags.findIndex((each) => (each & flag) !== 0)
  return at < 0 ? undefined : at
}

/** The first piece that was not understood, or is a call that cannot run. */
export function firstProblem(reading: Reading): number | undefined {
  const all = (['malformed', 'cut', 'problems'] as const).flatMap(
    (counted) => firstOf(reading, counted) ?? [],
  )
  return all.length === 0 ? undefined : Math.min(...all)
}
