import { type ParserOptions, type Protocol, type ProtocolId, resolveProtocol } from '@toolglot/core'
import { toolCall } from '@toolglot/core/protocols/tool-call'
import type { Model } from '../../model/model.ts'
import { protocolOf } from '../../model/protocol-of.ts'

/** How a model is told about its tools, and how its calls are parsed. */
export interface CallFormat {
  /** Undefined for native function calling. */
  readonly protocol: Protocol | undefined
  /** Which protocols are parsed: all of them if the model's own is unknown. */
  readonly parserOptions: Pick<ParserOptions, 'protocols'>
  /** The model's own protocol is unknown, so it is taught this one. */
  readonly guessed: boolean
}

/** The named format; otherwise native function calling if the model has it; otherwise what its chat template or name implies. */
export function chooseCallFormat(
  model: Model,
  named: Protocol | ProtocolId | 'native' | undefined,
): CallFormat {
  if (named === 'native' || (named === undefined && model.native))
    return { protocol: undefined, parserOptions: {}, guessed: false }
  const known = named === undefined ? protocolOf(model).protocol : resolveProtocol(named)
  return known
    ? { protocol: known, parserOptions: { protocols: known }, guessed: false }
    : { protocol: toolCall, parserOptions: {}, guessed: true }
}
