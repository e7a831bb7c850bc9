import type { ParserOptions, Protocol } from '@toolglot/core'
import { toolCall } from '@toolglot/core/protocols/tool-call'
import type { Model } from '../../model/model.ts'
import { protocolOf } from '../../model/protocol-of.ts'

/** How a model is told of tools, and how its calls are read. */
export interface CallFormat {
  /** Undefined: by function calling of its own. */
  readonly protocol: Protocol | undefined
  /** What its calls may look like. Any protocol, where it is not known what the model writes. */
  readonly parserOptions: Pick<ParserOptions, 'protocols'>
  /** Nobody knows what the model writes: it is told. */
  readonly guessed: boolean
}

/** What is named, else function calling where the model has it, else what its chat template or its name tells. */
export function chooseCallFormat(model: Model, named: Protocol | 'native' | undefined): CallFormat {
  if (named === 'native' || (named === undefined && model.native))
    return { protocol: undefined, parserOptions: {}, guessed: false }
  const known = named ?? protocolOf(model).protocol
  return known
    ? { protocol: known, parserOptions: { protocols: known }, guessed: false }
    : { protocol: toolCall, parserOptions: {}, guessed: true }
}
