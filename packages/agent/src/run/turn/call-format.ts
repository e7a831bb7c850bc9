import {
  type ParserOptions,
  type Protocol,
  type ProtocolId,
  protocols,
  resolveProtocol,
} from '@toolglot/core'
import type { Model } from '../../model/model.ts'
import { protocolOf } from '../../model/protocol-of.ts'

/** How a model is told about its tools, and how its calls are parsed. */
export interface CallFormat {
  /** Undefined for native function calling. */
  readonly protocol: Protocol | undefined
  /** Where the tools are described, and in whose form results are sent: ours, or that of the server's chat template. */
  readonly toolsIn: 'prompt' | 'request'
  /** Which protocols are parsed: all of them if a chat template that nobody here knows describes the tools. */
  readonly parserOptions: Pick<ParserOptions, 'protocols'>
  /** The model's own protocol is unknown, so it is taught this one. */
  readonly guessed: boolean
}

/**
 * The named format; otherwise the one that the model was seen to write best; otherwise native function calling if the model
 * has it; otherwise what its chat template or name implies.
 */
export function chooseCallFormat(
  model: Pick<Model, 'name' | 'chatTemplate' | 'native' | 'drawsTools' | 'probed'>,
  named: Protocol | ProtocolId | 'native' | undefined,
  toolsIn?: CallFormat['toolsIn'],
): CallFormat {
  if (named === 'native' && toolsIn === 'prompt')
    throw new TypeError(
      "Expected a protocol to describe the tools in, got 'native'. Select one, or leave out toolsIn.",
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

/** Whether it writes best what its own chat template does not describe: then the prompt has to. */
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
 * The format of a run that is resumed with the same model and without a named protocol: the one it began with. What is
 * known about models may have changed since, and so may the protocol of an unknown one.
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
