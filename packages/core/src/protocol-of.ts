import { protocolFor } from './protocol-for.ts'
import type { Protocol } from './protocol.ts'
import { type ProtocolId, protocols } from './registry.ts'

/** The protocol with this id. A protocol, or anything else that is not a string, is returned as it is. */
export function protocolOf(given: Protocol | ProtocolId): Protocol {
  if (typeof given !== 'string') return given
  if (Object.hasOwn(protocols, given)) return protocols[given]
  const { protocol, nearest } = protocolFor(given)
  const likely = protocol ? [protocol.id] : nearest
  const hint = likely.length > 0 ? ` Did you mean ${likely.join(' or ')}?` : ''
  throw new TypeError(
    `Unknown protocol ${JSON.stringify(given)}.${hint} Object.keys(protocols) lists all ids.`,
  )
}

/** The same for one or several. Protocols that are given as objects stay the same list: readers are cached by it. */
export function protocolsOf(
  given: Protocol | ProtocolId | readonly (Protocol | ProtocolId)[],
): Protocol | readonly Protocol[] {
  if (!isList(given)) return protocolOf(given)
  if (!given.some((one) => typeof one === 'string')) return given as readonly Protocol[]
  const known = resolved.get(given) ?? given.map(protocolOf)
  resolved.set(given, known)
  return known
}

const resolved = new WeakMap<object, readonly Protocol[]>()

function isList<T>(given: T | readonly T[]): given is readonly T[] {
  return Array.isArray(given)
}
