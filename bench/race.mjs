/** Thrown if a run would exceed its time limit. */
export class TooSlow extends Error {}

/**
 * The time for one run, in milliseconds; `late`: it takes longer than this.
 *
 * @typedef {{ ms: number, late: boolean }} Time
 */

/**
 * The number of samples, and the time for each in ms.
 *
 * @typedef {{ rounds: number, slice: number }} Effort
 */

/**
 * Measures runners side by side: a warm-up, then rounds in which each runs for a while, so that
 * disturbances of the machine affect all of them. Returns the median of each.
 *
 * @template {string} Name
 * @param {Record<Name, () => unknown>} runners
 * @param {Effort} effort
 * @returns {Promise<Record<Name, Time>>}
 */
export async function race(runners, { rounds, slice }) {
  const names = /** @type {Name[]} */ (Object.keys(runners))
  const lanes = []
  for (const name of names) lanes.push({ name, ...(await warmUp(runners[name], slice)) })

  for (let round = 0; round < rounds; round++) {
    for (const { name, samples, first, late } of lanes) {
      // A run of several seconds is measured once; a run of tenths of a second, a few times.
      if (late || first > 1000 || round * first > 500) continue
      samples.push(await sample(runners[name], Math.ceil(slice / first)))
    }
  }
  return /** @type {Record<Name, Time>} */ (
    Object.fromEntries(
      lanes.map(({ name, samples, late }) => [name, { ms: median(samples), late }]),
    )
  )
}

/**
 * @param {() => unknown} run
 * @param {number} slice
 */
async function warmUp(run, slice) {
  const began = performance.now()
  try {
    let first = Infinity
    do first = Math.min(first, await sample(run, 1))
    while (performance.now() - began < 5 * slice)
    return { first, samples: first > 1000 ? [first] : [], late: false }
  } catch (error) {
    if (!(error instanceof TooSlow)) throw error
    const first = performance.now() - began
    return { first, samples: [first], late: true }
  }
}

/**
 * @param {() => unknown} run
 * @param {number} times
 */
async function sample(run, times) {
  const began = performance.now()
  for (let i = 0; i < times; i++) {
    const result = run()
    if (result instanceof Promise) await result
  }
  return (performance.now() - began) / times
}

/** @param {number[]} values */
function median(values) {
  const sorted = [...values].sort((one, other) => one - other)
  const middle = sorted.length >> 1
  if (sorted.length % 2 === 1) return sorted[middle] ?? NaN
  return ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2
}

/**
 * Yields the chunks until the time limit is exceeded.
 *
 * @param {readonly string[]} chunks
 * @param {number} budget in ms
 */
export function* within(chunks, budget) {
  const end = performance.now() + budget
  for (const [index, chunk] of chunks.entries()) {
    if (index % 16 === 0 && performance.now() > end) throw new TooSlow()
    yield chunk
  }
}
