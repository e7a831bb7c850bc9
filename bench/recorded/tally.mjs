/** @typedef {import('./judge.mjs').Verdict} Verdict */

/**
 * A count, and its total.
 *
 * @typedef {[count: number, of: number]} Share
 * @typedef {Record<keyof Verdict, Share>} Tally
 */

/**
 * Counts, for each part, the verdicts that are true among those that are defined.
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
