import { checkText } from './options.ts'
import type { Protocol } from './protocol.ts'
import { everyProtocol, type ProtocolId, readProtocols } from './registry.ts'
import { templateScore, wordsIn } from './template-score.ts'

/** A model's protocol; or none, and the ids of those that come nearest. */
export type ProtocolFor =
  | { readonly protocol: Protocol; readonly nearest: readonly [] }
  | { readonly protocol: undefined; readonly nearest: readonly ProtocolId[] }

/**
 * The protocol that a model writes, by its name (as servers, hubs and files spell it) or by its chat template. What is
 * not known, or fits several, is not guessed.
 */
export function protocolFor(model: string | { readonly chatTemplate: string }): ProtocolFor {
  if (typeof model === 'string') {
    const name = lastPart(model)
    const found = best(everyProtocol, ({ models }) =>
      models?.some((known) => known.test(name)) ? 1 : 0,
    )
    return answer(
      found[0] ? found : best(readProtocols, (protocol) => likeness(protocol, name)),
      found,
    )
  }
  checkText('chatTemplate', model?.chatTemplate)
  const { chatTemplate } = model
  const found = best(everyProtocol, (protocol) => templateScore(protocol, chatTemplate))
  if (found.length < 2) return answer(found)
  // A dialect's marks are another's: its words tell it, and without them the other is meant.
  const worded = best(found, (protocol) => wordsIn(protocol, chatTemplate))
  const likely = worded.length > 0 ? worded : found
  return answer(likely.length > 1 ? found.filter(({ dialect }) => !dialect) : likely)
}

function answer(nearest: readonly Protocol[], [protocol, another] = nearest): ProtocolFor {
  return protocol && !another
    ? { protocol, nearest: [] }
    : { protocol: undefined, nearest: nearest.map(({ id }) => id as ProtocolId) }
}

/** Those that score highest, if anything. */
function best(among: readonly Protocol[], score: (protocol: Protocol) => number): Protocol[] {
  const scores = among.map(score)
  const highest = Math.max(...scores)
  return among.filter((_, i) => highest > 0 && scores[i] === highest)
}

/** Whether what is said of a protocol's models holds the first word of a name, or one that begins as it does. */
function likeness({ id, about, models }: Protocol, name: string): number {
  const [family = ''] = name.match(/^[a-z]{3,}/) ?? []
  const words =
    models?.length && family
      ? (`${id} ${about.split(':')[0]}`.toLowerCase().match(/[a-z]+/g) ?? [])
      : []
  const alike = (word: string): boolean =>
    word === family ||
    (Math.min(word.length, family.length) > 4 && word.startsWith(family.slice(0, 4)))
  return words.some(alike) ? 1 : 0
}

/** `qwen3-8b-gguf:q4_k_m` of `hf.co/unsloth/Qwen3-8B-GGUF:Q4_K_M`. No name is longer than a file's may be. */
function lastPart(name: string): string {
  const last = name.split(/[\\/]|--/).reduce((before, part) => part || before)
  return last.slice(0, 255).trim().toLowerCase()
}
