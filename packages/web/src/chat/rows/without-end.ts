import type { Item } from '@toolglot/react/view'

/** A conversation without its end, and without warnings that say the same. What came before the end stays. */
export function withoutEnd(items: readonly Item[]): readonly Item[] {
  const end = items.at(-1)
  if (end?.type !== 'end') return items
  let length = items.length - 1
  for (; length > 0; length--) {
    const item = items[length - 1]!
    if (item.type !== 'notice' || item.notice.type !== 'warning') break
    if (item.notice.message !== end.error) break
  }
  return items.slice(0, length)
}
