import {
  type ParserOptions,
  type Protocol,
  type ProtocolId,
  protocols,
  resolveProtocol,
} from '@toolglot/core'
import type { Model } from '../../model/model.ts'
import { protocolOf } from '../../model/protocol-of.ts'

/** The form in which tools are described to a model and its calls are parsed. */
export interface CallFormat {
  /** The protocol. Undefined for native function calling. */
  readonly protocol: Protocol | undefined
  /**
   * Describe tools and send results in the text of the prompt, in our form, or in the request, in
   * the form of the server's chat template.
   */
  readonly toolsIn: 'prompt' | 'request'
  /** The protocols to parse: all of them, if an unknown chat template describes the tools. */
  readonly parserOptions: Pick<ParserOptions, 'protocols'>
  /** True if the model's protocol is unknown, so the prompt teaches a default protocol. */
  readonly guessed: boolean
}

/**
 * Chooses the format: the selected one, or the best one found by probing, or native function
 * calling if the model supports it, or the one indicated by its chat template or name.
 */
export function chooseCallFormat(
  model: Pick<Model, 'name' | 'chatTemplate' | 'native' | 'drawsTools' | 'probed'>,
  named: Protocol | ProtocolId | 'native' | undefined,
  toolsIn?: CallFormat['toolsIn'],
): CallFormat {
  if (named === 'native' && toolsIn === 'prompt')
    throw new TypeError(
      'Native function calling does not describe the tools in the prompt. Select a protocol, or leave out toolsIn.',
    )
  const prefersNative = model.probed === undefined ? model.native : model.probed === 'native'
  const isNative =
    named === 'native' || (named === undefined && toolsIn !== 'prompt' && prefersNative)
  if (isNative)
    return { protocol: undefined, toolsIn: 'request', parserOptions: {}, guessed: false }
  const drawsTools = model.drawsTools && (named !== undefined || !isTaught(model))
  const where = toolsIn ?? (drawsTools ? 'request' : 'prompt')
  const known = named === undefined ? protocolOf(model).protocol : resolveProtocol(named)
  if (known) return formatOf(known, where, false)
  if (where === 'prompt') return formatOf(protocols.hermes, where, true)
  return { protocol: undefined, toolsIn: where, parserOptions: {}, guessed: true }
}

/**
 * True if the best protocol differs from the chat template's, so the prompt has to describe the
 * tools.
 */
function isTaught({ probed, ...model }: Pick<Model, 'name' | 'chatTemplate' | 'probed'>): boolean {
  if (probed === undefined || probed === 'native') return false
  return protocolOf(model).protocol?.id !== probed.id
}

function formatOf(
  protocol: Protocol,
  toolsIn: CallFormat['toolsIn'],
  guessed: boolean,
): CallFormat {
  return { protocol, toolsIn, parserOptions: { protocols: protocol }, guessed }
}

/** The names of a run's model and protocol. */
interface ModelAndProtocol {
  readonly model?: string | undefined
  readonly protocol?: string | undefined
}

/**
 * The format for resuming a run with the same model and no selected protocol: the one it started
 * with. The known facts about the model may have changed in the meantime.
 */
export function resumedFormat(
  format: CallFormat,
  { name }: Pick<Model, 'name'>,
  { model, protocol: id }: ModelAndProtocol = {},
): CallFormat {
  const { protocol, toolsIn, guessed } = format
  if (!protocol || model !== name || id === undefined || !Object.hasOwn(protocols, id))
    return format
  return id === protocol.id ? format : formatOf(protocols[id as ProtocolId], toolsIn, guessed)
}
