import { kept } from './read/cached.ts'
import type { Protocol } from './protocol.ts'
import { type ProtocolId, protocols } from './registry.ts'

/**
 * Returns the protocol with this id, or the protocol itself. For an unknown id, throws an error
 * with similar ids.
 */
export function resolveProtocol(given: Protocol | ProtocolId): Protocol {
  if (typeof given !== 'string') return given
  if (Object.hasOwn(protocols, given)) return protocols[given]
  const likely = Object.keys(protocols).filter((id) => isSlip(given, id))
  const hint = likely.length > 0 ? ` Did you mean ${likely.join(' or ')}?` : ''
  throw new TypeError(
    `Unknown protocol ${JSON.stringify(given)}.${hint} Object.keys(protocols) lists them; protocolFor(model) finds a model's.`,
  )
}

/** True if a word has almost the same letters as an id: `hermse`, `hermez`, `tool_call`. */
function isSlip(word: string, id: string): boolean {
  const [written = '', meant = ''] = [word, id].map((text) =>
    text.toLowerCase().replace(/[^a-z0-9]/g, ''),
  )
  const wrong = without(written, meant) + without(meant, written)
  return wrong.length <= Math.min(2, meant.length / 3)
}

/** Removes the letters of one string from another. */
function without(text: string, letters: string): string {
  return letters.split('').reduce((rest, letter) => rest.replace(letter, ''), text)
}

/**
 * Resolves one or several protocols. A list without ids is returned unchanged: readers are cached
 * by its identity.
 */
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
