import { familyOf } from './families.ts'
import type { Protocol } from './protocol.ts'
import { everyProtocol, type ProtocolId, readProtocols } from './registry.ts'

/** A model's protocol; if unknown, the ids of the nearest ones. */
export type ProtocolFor =
  | { readonly protocol: Protocol; readonly nearest: readonly [] }
  | { readonly protocol: undefined; readonly nearest: readonly ProtocolId[] }

/** The protocol that a model of this name writes. */
export function protocolForName(model: string): ProtocolFor {
  const name = lastPart(model)
  const found = best(everyProtocol, (protocol) =>
    familyOf(protocol).models?.some((known) => known.test(name)) ? 1 : 0,
  )
  return answer(
    found[0] ? found : best(readProtocols, (protocol) => likeness(protocol, name)),
    found,
  )
}

/** The only protocol that was found, or which ones are near. */
export function answer(
  nearest: readonly Protocol[],
  [protocol, another]: readonly Protocol[] = nearest,
): ProtocolFor {
  return protocol && !another
    ? { protocol, nearest: [] }
    : { protocol: undefined, nearest: nearest.map(({ id }) => id as ProtocolId) }
}

/** Those with the highest score, if any score at all. */
export function best(
  among: readonly Protocol[],
  score: (protocol: Protocol) => number,
): Protocol[] {
  const scores = among.map(score)
  const highest = Math.max(...scores)
  return among.filter((_, i) => highest > 0 && scores[i] === highest)
}

/** 1 if the description of a protocol's models contains the first word of a name, or a word that begins like it. */
function likeness(protocol: Protocol, name: string): number {
  const { about, models } = familyOf(protocol)
  const [first = ''] = name.match(/^[a-z]{3,}/) ?? []
  const words =
    models && first
      ? (`${protocol.id} ${about.split(':')[0]}`.toLowerCase().match(/[a-z]+/g) ?? [])
      : []
  const alike = (word: string): boolean =>
    word === first ||
    (Math.min(word.length, first.length) > 4 && word.startsWith(first.slice(0, 4)))
  return words.some(alike) ? 1 : 0
}

/** `hf.co/unsloth/Qwen3-8B-GGUF:Q4_K_M` → `qwen3-8b-gguf:q4_k_m`, cut to the maximum length of a file name. */
function lastPart(name: string): string {
  const last = name.split(/[\\/]|--/).reduce((before, part) => part || before)
  return last.slice(0, 255).trim().toLowerCase()
}
