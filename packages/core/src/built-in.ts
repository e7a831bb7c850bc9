import { builtIn } from './protocol-list.ts'
import type { Protocol } from './protocol.ts'

/**
 * Where the built-in protocol that a protocol is, or was made from, is in the list of them; -1: it has nothing to do with any. Which one
 * it was made from, what they share says: `{ ...hermes, id: 'mine' }` has the pictures of `hermes`.
 */
export function indexOfBuiltIn(protocol: Protocol): number {
  const index = builtIn.indexOf(protocol)
  if (index >= 0) return index
  const parts = new Set<unknown>(Object.values(protocol))
  const shares = builtIn.map((each) => sharedWith(each, parts))
  const most = Math.max(...shares)
  return most > 0 ? shares.indexOf(most) : -1
}

/** How many pictures and lists of a protocol are among these parts. */
function sharedWith(protocol: Protocol, parts: ReadonlySet<unknown>): number {
  return Object.values(protocol).filter((part) => typeof part === 'object' && parts.has(part))
    .length
}
