/** @typedef {import('./judge.mjs').Verdict} Verdict */

/**
 * A count and the total.
 *
 * @typedef {[count: number, of: number]} Share
 * @typedef {Record<keyof Verdict, Share>} Tally
 */

/**
 * Counts the true fields, among the verdicts in which each is defined.
 *
 * @param {Iterable<Verdict>} verdicts
 * @returns {Tally}
 */
export function tally(verdicts) {
  /** @type {Tally} */
  const sum = { calls: [0, 0], streamed: [0, 0], text: [0, 0], same: [0, 0], invented: [0, 0] }
  for (const verdict of verdicts) {
    for (const measure of /** @type {(keyof Verdict)[]} */ (Object.keys(sum))) {
      const said = verdict[measure]
      if (said === undefined) continue
      if (said) sum[measure][0]++
      sum[measure][1]++
    }
  }
  return sum
}
