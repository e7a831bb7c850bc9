import { type ParserOptions, type Protocol, type ProtocolId, resolveProtocol } from '@toolglot/core'
import { toolCall } from '@toolglot/core/protocols/tool-call'
import type { Model } from '../../model/model.ts'
import { protocolOf } from '../../model/protocol-of.ts'

/** How a model is told about its tools, and how its calls are parsed. */
export interface CallFormat {
  /** Undefined for native function calling. */
  readonly protocol: Protocol | undefined
  /** Where the tools are described, and in whose form results are sent: ours, or that of the server's chat template. */
  readonly toolsIn: 'prompt' | 'request'
  /** Which protocols are parsed: all of them if the model's own is unknown. */
  readonly parserOptions: Pick<ParserOptions, 'protocols'>
  /** The model's own protocol is unknown, so it is taught this one. */
  readonly guessed: boolean
}

/** The named format; otherwise native function calling if the model has it; otherwise what its chat template or name implies. */
export function chooseCallFormat(
  model: Model,
  named: Protocol | ProtocolId | 'native' | undefined,
  toolsIn?: CallFormat['toolsIn'],
): CallFormat {
  if (named === 'native' && toolsIn === 'prompt')
    throw new TypeError(
      "Expected a protocol to describe the tools in, got 'native'. Select one, or leave out toolsIn.",
    )
  const isNative =
    named === 'native' || (named === undefined && toolsIn !== 'prompt' && model.native)
  if (isNative)
    return { protocol: undefined, toolsIn: 'request', parserOptions: {}, guessed: false }
  const where = toolsIn ?? (model.drawsTools ? 'request' : 'prompt')
  const known = named === undefined ? protocolOf(model).protocol : resolveProtocol(named)
  if (known)
    return { protocol: known, toolsIn: where, parserOptions: { protocols: known }, guessed: false }
  // A template describes calls in a way that nobody here knows: they may be in any protocol.
  const protocol = where === 'request' ? undefined : toolCall
  return { protocol, toolsIn: where, parserOptions: {}, guessed: true }
}
