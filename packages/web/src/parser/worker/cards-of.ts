import type { StoredComparison } from './compare-protocols.ts'
import type { Item } from './item.ts'
import { itemOf } from './item-of.ts'
import type { Questions } from './messages.ts'

const MAX_CARDS = 5

/** The first calls that a protocol reads in a text, and what it does not understand. */
export function cardsOf(
  text: string,
  { pieces, values, check }: StoredComparison,
  protocol: string,
): Questions['cards']['output'] {
  const own = pieces.get(protocol)
  if (!own) return { items: [], left: 0 }
  const all = [...(values.get(own) ?? [])]
  const items = all
    .slice(0, MAX_CARDS)
    .map(([at, value]) => named(itemOf(text, own, at, value, check), protocol))
  return { items, left: Math.max(0, all.length - MAX_CARDS) }
}

/** Those that read the same share a reading, in which calls have the name of the first of them. */
function named(item: Item, protocol: string): Item {
  return item.kind === 'call' && !item.facts.includes('otherProtocol')
    ? { ...item, protocol }
    : item
}
