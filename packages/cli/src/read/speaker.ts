import type { Model } from '@toolglot/agent'
import { chooseCallFormat } from '@toolglot/agent/internal'
import { protocols, type Protocol } from '@toolglot/core'
import { DEMO, demoModel } from '../demo/demo-model.ts'
import { knownFor } from '../own/known.ts'
import type { Terminal } from '../terminal.ts'
import { chosenModel } from './chosen-model.ts'
import { chooseProtocols } from './protocols.ts'

/** Who is talked to, and how. */
export interface Speaker {
  readonly model: Model
  readonly reference: string
  /** Why this one, in words. */
  readonly why: string
  /** As it was named; undefined: the model tells. */
  readonly protocol: Protocol | 'native' | undefined
}

export interface SpeakerOptions {
  readonly model?: string | undefined
  readonly protocol?: string | undefined
  readonly cwd: string
  readonly signal?: AbortSignal
}

/** The model that is named or found; the script, where there is none. */
export async function findSpeaker(options: SpeakerOptions, terminal: Terminal): Promise<Speaker> {
  const { model: named, cwd, signal } = options
  const protocol = await protocolNamed(options.protocol, terminal)
  if (named === DEMO) return script('you named it', protocol, terminal)
  if (named === undefined && terminal.env['TOOLGLOT_MODEL']?.trim() === DEMO)
    return script('TOOLGLOT_MODEL names it', protocol, terminal)
  const chosen = await chosenModel(terminal, { named, cwd, ...(signal && { signal }) })
  return chosen.model ? { ...chosen, protocol } : script(chosen.why, protocol, terminal)
}

/** The protocol that a person named; undefined for `auto`. */
export async function protocolNamed(
  id: string | undefined,
  terminal: Terminal,
): Promise<Protocol | 'native' | undefined> {
  if (id === undefined || id === 'auto') return undefined
  if (id === 'native') return id
  const { ids, known } = await knownFor([id], terminal)
  return chooseProtocols(ids, known).protocols?.[0]
}

/** The same speaker with another protocol. */
export function speakingIn(
  speaker: Speaker,
  protocol: Speaker['protocol'],
  terminal: Terminal,
): Speaker {
  if (speaker.reference === DEMO) return script(speaker.why, protocol, terminal)
  return { ...speaker, protocol }
}

/** What the model writes, for people; and whether that is a guess. */
export function protocolIn({ model, protocol }: Speaker): { name: string; isGuess: boolean } {
  const format = chooseCallFormat(model, protocol)
  return { name: format.protocol?.id ?? 'its own function calling', isGuess: format.guessed }
}

function script(why: string, named: Speaker['protocol'], { output }: Terminal): Speaker {
  const protocol = named ?? protocols['hermes']
  const pace = output.isTTY ? 15 : 0
  const model = demoModel({ protocol: protocol === 'native' ? undefined : protocol, pace })
  return { model, reference: DEMO, why, protocol }
}
