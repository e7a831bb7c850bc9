import type { Protocol } from './protocol.ts'
import * as all from './protocols/index.ts'

/** What the list of built-in protocols calls one of them. */
export type BuiltIn = keyof typeof all

const known = Object.entries(all) as [BuiltIn, Protocol][]
const names = new Map(known.map(([name, protocol]) => [protocol, name]))

/**
 * The built-in protocol that a protocol is, or was made from. Which one that is, what they share says: `{ ...hermes, id: 'mine' }`
 * has the pictures of `hermes`.
 */
export function builtInOf(protocol: Protocol): BuiltIn | undefined {
  const itself = names.get(protocol)
  if (itself) return itself
  const parts = new Set<unknown>(Object.values(protocol))
  const shares = known.map(([, each]) => sharedWith(each, parts))
  const most = Math.max(...shares)
  return most > 0 ? known[shares.indexOf(most)]![0] : undefined
}

/** How many pictures and lists of a protocol are among these parts. */
function sharedWith(protocol: Protocol, parts: ReadonlySet<unknown>): number {
  return Object.values(protocol).filter((part) => typeof part === 'object' && parts.has(part))
    .length
}
