import { type ParserOptions, type Protocol, protocols } from '@toolglot/core'
import { details } from '@toolglot/core/details'
import type { ReadOptions } from './messages.ts'
import { readPicture } from '@toolglot/core/picture'

let last: { readonly source: string; readonly protocol: Protocol | undefined } | undefined

/** The parser options shared by all protocols. */
export function parserOptions({ tools, startsInReasoning }: ReadOptions): ParserOptions {
  return {
    startsInReasoning,
    details,
    // The same ids in every reading.
    makeId: (index) => `call_${index + 1}`,
    tools: tools && tools.length > 0 ? tools : undefined,
  }
}

/**
 * The chosen protocol: all, one, or none if the drawn one has errors. Throws for an unknown
 * protocol.
 */
export function chosenProtocol({ protocol, drawn }: ReadOptions): Protocol | 'all' | undefined {
  if (protocol === 'auto') return 'all'
  if (protocol === 'drawn') return drawn === undefined ? undefined : drawnProtocol(drawn)
  if (!Object.hasOwn(protocols, protocol))
    throw new RangeError(`There is no protocol ${JSON.stringify(protocol)}.`)
  return protocols[protocol]!
}

/** All protocols to compare, with their names: the drawn one first, whatever its id. */
export function comparedProtocols({
  drawn,
}: ReadOptions): readonly (readonly [name: string, protocol: Protocol])[] {
  const own = drawn === undefined ? undefined : drawnProtocol(drawn)
  return [
    ...(own ? [['drawn', own] as const] : []),
    ...Object.entries(protocols).toSorted(([a], [b]) => bestKnownFirst(a, b)),
  ]
}

/**
 * The protocol that a drawing describes, if valid. The same object for the same text, because
 * grammars are cached by object.
 */
function drawnProtocol(source: string): Protocol | undefined {
  if (last?.source !== source) last = { source, protocol: readPicture(source).protocol }
  return last.protocol
}

/** The best-known protocols, in order. */
const KNOWN = [
  ...['hermes', 'qwen3-coder', 'mistral', 'mistral-array', 'llama3', 'llama3-json', 'glm'],
  ...['deepseek-v3.1', 'deepseek-v3', 'harmony', 'kimi-k2', 'gemma4', 'pythonic', 'json'],
]

/** Compares ids of protocols: a drawn one first, then the best known, then by name. */
export function bestKnownFirst(one: string, other: string): number {
  return rank(one) - rank(other) || (one < other ? -1 : one > other ? 1 : 0)
}

function rank(id: string): number {
  if (id === 'drawn') return -1
  const at = KNOWN.indexOf(id)
  return at < 0 ? KNOWN.length : at
}
