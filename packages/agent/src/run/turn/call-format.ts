import {
  type ParserOptions,
  type Protocol,
  type ProtocolId,
  protocols,
  resolveProtocol,
} from '@toolglot/core'
import type { Model } from '../../model/model.ts'
import { protocolOf } from '../../model/protocol-of.ts'

/** How the tools are described to a model, and how its calls are parsed. */
export interface CallFormat {
  /** Undefined for native function calling. */
  readonly protocol: Protocol | undefined
  /** Where the tools are described, and in whose form results are sent: ours, or that of the server's chat template. */
  readonly toolsIn: 'prompt' | 'request'
  /** Which protocols are parsed: all of them if an unknown chat template describes the tools. */
  readonly parserOptions: Pick<ParserOptions, 'protocols'>
  /** The model's own protocol is unknown, so the prompt teaches this one. */
  readonly guessed: boolean
}

/**
 * The named format; otherwise the one that a probe of the model found best; otherwise native function calling if the model has
 * it; otherwise the one that its chat template or name implies.
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

/** Whether the best protocol is not that of its chat template: then the prompt has to describe the tools. */
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

/** The names of the model and the protocol of a run. */
interface ModelAndProtocol {
  readonly model?: string | undefined
  readonly protocol?: string | undefined
}

/**
 * The format of a run that is resumed with the same model and without a named protocol: the one it began with. Our knowledge of
 * the model may have changed since.
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
