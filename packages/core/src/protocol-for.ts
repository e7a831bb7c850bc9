import { checkText } from './options.ts'
import type { Protocol } from './protocol.ts'
import { everyProtocol, readProtocols } from './registry.ts'
import { templateScore } from './template-score.ts'

/** A model's protocol; or none, and the ids of those that come nearest. */
export type ProtocolFor =
  | { readonly protocol: Protocol; readonly nearest: readonly [] }
  | { readonly protocol: undefined; readonly nearest: readonly string[] }

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
  const { chatTemplate } = model
  checkText('chatTemplate', chatTemplate)
  const found = best(readProtocols, (protocol) => templateScore(protocol, chatTemplate))
  return answer(found)
}

function answer(nearest: readonly Protocol[], [protocol, another] = nearest): ProtocolFor {
  return protocol && !another
    ? { protocol, nearest: [] }
    : { protocol: undefined, nearest: nearest.map(({ id }) => id) }
}

/** Those that score most, if anything. */
function best(among: readonly Protocol[], score: (protocol: Protocol) => number): Protocol[] {
  const scores = among.map(score)
  const most = Math.max(...scores)
  return among.filter((_, i) => most > 0 && scores[i] === most)
}

/** How often what is said of a protocol holds some four letters of a name. */
function likeness({ id, about }: Protocol, name: string): number {
  const said = `${id} ${about}`.toLowerCase()
  let score = 0
  for (let i = 4; i <= name.length; i++) score += said.split(name.slice(i - 4, i)).length - 1
  return score
}

/** `qwen3-8b-gguf:q4_k_m` of `hf.co/unsloth/Qwen3-8B-GGUF:Q4_K_M`. No name is longer than a file's may be. */
function lastPart(name: string): string {
  const last = name.split(/[\\/]|--/).reduce((before, part) => part || before)
  return last.slice(0, 255).toLowerCase()
}
