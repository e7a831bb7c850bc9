import type { Row } from '../rows/rows.ts'

/** More cards than this are not drawn when they are out of sight. */
const MAX_CARDS = 12

/**
 * The rows that are drawn wherever the person is: calls that wait (a way to them must exist, and what was typed there must stay),
 * and those named by their keys.
 */
export function keptRows(
  rows: readonly Row[],
  keys: readonly (string | undefined)[],
): readonly number[] {
  const kept: number[] = []
  let cards = 0
  rows.forEach(({ type, key }, index) => {
    if ((type === 'ask' && cards++ < MAX_CARDS) || keys.includes(key)) kept.push(index)
  })
  return kept
}
