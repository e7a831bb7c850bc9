/** The first so many of a list in an order, sorted. Where they are few it takes linear time. */
export function first<Item>(
  items: readonly Item[],
  most: number,
  compare: (one: Item, other: Item) => number,
): Item[] {
  const best: Item[] = []
  let worst: Item | undefined
  for (const item of items) {
    if (worst !== undefined && compare(item, worst) >= 0) continue
    best.push(item)
    if (best.length < 2 * most) continue
    best.sort(compare).length = most
    worst = best[most - 1]
  }
  return best.sort(compare).slice(0, most)
}
