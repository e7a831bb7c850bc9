import { setImmediate } from 'node:timers/promises'

/** The items that a slow test lets through. Others get their turn meanwhile, and a signal stops it. */
export async function filterPatiently<Item>(
  items: readonly Item[],
  test: (item: Item) => boolean,
  signal: AbortSignal,
): Promise<Item[]> {
  const kept: Item[] = []
  let turn = performance.now()
  for (let at = 0; at < items.length; at++) {
    if (test(items[at]!)) kept.push(items[at]!)
    if (at % 64 !== 63 || performance.now() - turn < TURN) continue
    await setImmediate()
    signal.throwIfAborted()
    turn = performance.now()
  }
  return kept
}

/** In milliseconds. */
const TURN = 20
