import { protocolForName } from './protocol-for-name.ts'
import { kept } from './read/cached.ts'
import type { Protocol } from './protocol.ts'
import { type ProtocolId, protocols } from './registry.ts'

/** Returns the protocol with this id, or the protocol itself. Throws if the id is unknown, and names similar ones. */
export function resolveProtocol(given: Protocol | ProtocolId): Protocol {
  if (typeof given !== 'string') return given
  if (Object.hasOwn(protocols, given)) return protocols[given]
  const sameLetters = Object.keys(protocols).filter((id) => lettersOf(id) === lettersOf(given))
  const { protocol, nearest } = protocolForName(given)
  const likely = sameLetters.length > 0 ? sameLetters : protocol ? [protocol.id] : nearest
  const hint = likely.length > 0 ? ` Did you mean ${likely.join(' or ')}?` : ''
  throw new TypeError(
    `Unknown protocol ${JSON.stringify(given)}.${hint} Object.keys(protocols) lists all ids.`,
  )
}

/** The letters and digits of an id, in order: those of `tool_call` and `tool-call` are the same, as after a swap. */
function lettersOf(id: string): string {
  return id
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .split('')
    .sort()
    .join('')
}

/** The same for one or several. Protocols that are given as objects stay the same list: readers are cached by it. */
export function protocolsOf(
  given: Protocol | ProtocolId | readonly (Protocol | ProtocolId)[],
): Protocol | readonly Protocol[] {
  if (!isList(given)) return resolveProtocol(given)
  if (!given.some((one) => typeof one === 'string')) return given as readonly Protocol[]
  return kept(resolved, given, () => given.map(resolveProtocol))
}

const resolved = new WeakMap<object, readonly Protocol[]>()

function isList<T>(given: T | readonly T[]): given is readonly T[] {
  return Array.isArray(given)
}
