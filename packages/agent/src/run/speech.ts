import { type ParserOptions, type Protocol, protocolFor } from '@toolglot/core'
import { toolCall } from '@toolglot/core/protocols/tool-call'
import type { Model } from '../model/model.ts'

/** How a model is told of tools, and how its calls are read. */
export interface Speech {
  /** Undefined: by function calling of its own. */
  readonly protocol: Protocol | undefined
  /** What its calls may look like. Any protocol, where it is not known what the model writes. */
  readonly reads: Pick<ParserOptions, 'protocols'>
  /** Nobody knows what the model writes: it is told. */
  readonly guessed: boolean
}

/** What is named, else function calling where the model has it, else what its chat template or its name tells. */
export function speechOf(model: Model, named: Protocol | 'native' | undefined): Speech {
  if (named === 'native' || (named === undefined && model.native))
    return { protocol: undefined, reads: {}, guessed: false }
  const { chatTemplate, name } = model
  const known =
    named ??
    (chatTemplate === undefined ? undefined : protocolFor({ chatTemplate }).protocol) ??
    protocolFor(name).protocol
  return known
    ? { protocol: known, reads: { protocols: known }, guessed: false }
    : { protocol: toolCall, reads: {}, guessed: true }
}
