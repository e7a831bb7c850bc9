/** Whether a call runs, needs approval first, or doesn't run. */
export type Verdict = 'allow' | 'ask' | 'deny'

const ORDER: readonly Verdict[] = ['allow', 'ask', 'deny']

/** The strictest of several verdicts: one denied part denies the whole call. */
export function strictest(verdicts: Iterable<Verdict>): Verdict {
  let worst = 0
  for (const verdict of verdicts) worst = Math.max(worst, ORDER.indexOf(verdict))
  return ORDER[worst]!
}
