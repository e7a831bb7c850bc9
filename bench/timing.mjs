/** @param {() => Promise<unknown>} run */
export async function timed(run) {
  const began = performance.now()
  await run()
  return performance.now() - began
}

/** @param {number[]} values */
export function median(values) {
  return [...values].sort((one, other) => one - other)[values.length >> 1] ?? NaN
}
