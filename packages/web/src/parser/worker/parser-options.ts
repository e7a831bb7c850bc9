import { type ParserOptions, type Protocol, protocols } from '@toolglot/core'
import { details } from '@toolglot/core/details'
import type { ReadOptions } from './messages.ts'
import { readPicture } from '@toolglot/core/picture'

let last: { readonly source: string; readonly protocol: Protocol | undefined } | undefined

/** The options of a parser, by whatever protocol it reads. */
export function parserOptions({ tools, startsInReasoning }: ReadOptions): ParserOptions {
  return {
    startsInReasoning,
    details,
    // The same ids in every reading.
    makeId: (index) => `call_${index + 1}`,
    tools: tools && tools.length > 0 ? tools : undefined,
  }
}

/** The chosen protocol: all, one of them, or none if the drawn one has errors. Another choice is a mistake. */
export function chosenProtocol({ protocol, drawn }: ReadOptions): Protocol | 'all' | undefined {
  if (protocol === 'auto') return 'all'
  if (protocol === 'drawn') return drawn === undefined ? undefined : drawnProtocol(drawn)
  if (!Object.hasOwn(protocols, protocol))
    throw new RangeError(`expected the id of a protocol, got ${JSON.stringify(protocol)}`)
  return protocols[protocol]!
}

/** Every protocol that a reply is compared by, each with its name: the drawn one first, whatever its id is. */
export function comparedProtocols({
  drawn,
}: ReadOptions): readonly (readonly [name: string, protocol: Protocol])[] {
  const own = drawn === undefined ? undefined : drawnProtocol(drawn)
  return [
    ...(own ? [['drawn', own] as const] : []),
    ...Object.entries(protocols).toSorted(([a], [b]) => bestKnownFirst(a, b)),
  ]
}

/** The protocol that a picture describes, if it describes one. The same object for the same text: grammars are kept by it. */
function drawnProtocol(source: string): Protocol | undefined {
  if (last?.source !== source) last = { source, protocol: readPicture(source).protocol }
  return last.protocol
}

/** The protocols that most people know, the best known first. */
const KNOWN = [
  ...['hermes', 'qwen3-coder', 'mistral', 'mistral-array', 'llama3', 'llama3-json', 'glm'],
  ...['deepseek-v3.1', 'deepseek-v3', 'harmony', 'kimi-k2', 'gemma4', 'pythonic', 'json'],
]

/** Sorts ids of protocols: a drawn one first, then those that are known best, then by name. */
export function bestKnownFirst(one: string, other: string): number {
  return rank(one) - rank(other) || (one < other ? -1 : one > other ? 1 : 0)
}

function rank(id: string): number {
  if (id === 'drawn') return -1
  const at = KNOWN.indexOf(id)
  return at < 0 ? KNOWN.length : at
}
