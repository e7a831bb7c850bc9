import { builtIn } from './protocol-list.ts'
import type { Protocol } from './protocol.ts'

/**
 * The index of a built-in protocol, or of the built-in protocol that a custom one was copied from;
 * -1 if there is none. A copy is recognized by the parts it shares: `{ ...hermes, id: 'mine' }` has
 * the pictures of `hermes`.
 */
export function indexOfBuiltIn(protocol: Protocol): number {
  const index = builtIn.indexOf(protocol)
  if (index >= 0) return index
  const parts = new Set<unknown>(Object.values(protocol))
  const shares = builtIn.map((each) => sharedWith(each, parts))
  const most = Math.max(...shares)
  return most > 0 ? shares.indexOf(most) : -1
}

/** The number of a protocol's pictures and lists among these parts. */
function sharedWith(protocol: Protocol, parts: ReadonlySet<unknown>): number {
  return Object.values(protocol).filter((part) => typeof part === 'object' && parts.has(part))
    .length
}
