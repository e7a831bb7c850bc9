/** What is decided of a call: it runs, a person is asked, or it does not run. */
export type Verdict = 'allow' | 'ask' | 'deny'

const ORDER: readonly Verdict[] = ['allow', 'ask', 'deny']

/** The strictest of several: one part that must not run stops the whole. */
export function strictest(verdicts: Iterable<Verdict>): Verdict {
  let worst = 0
  for (const verdict of verdicts) worst = Math.max(worst, ORDER.indexOf(verdict))
  return ORDER[worst]!
}
