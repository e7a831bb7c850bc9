import { setImmediate } from 'node:timers/promises'

/** Filters with a slow test, in slices of time: other work runs in between, and a signal stops it. */
export async function filterInSlices<Item>(
  items: readonly Item[],
  test: (item: Item) => boolean,
  signal: AbortSignal,
): Promise<Item[]> {
  const kept: Item[] = []
  let started = performance.now()
  for (let at = 0; at < items.length; at++) {
    if (test(items[at]!)) kept.push(items[at]!)
    if (at % 64 !== 63 || performance.now() - started < SLICE) continue
    await setImmediate()
    signal.throwIfAborted()
    started = performance.now()
  }
  return kept
}

/** In milliseconds. */
const SLICE = 20
