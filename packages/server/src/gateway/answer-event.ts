import type { RunCall, Usage } from '@toolglot/agent'
import { cautionsOf } from '@toolglot/agent/adapter/internal'

/** A piece of the answer to a client, whichever API it speaks. A call that started always ends, or the answer fails. */
export type AnswerEvent =
  | { readonly type: 'text'; readonly delta: string }
  | { readonly type: 'reasoning'; readonly delta: string }
  | {
      readonly type: 'call-start'
      readonly index: number
      readonly id: string
      readonly name: string
    }
  /** The next part of the arguments' JSON. */
  | { readonly type: 'call-delta'; readonly index: number; readonly delta: string }
  | { readonly type: 'call-end'; readonly index: number; readonly call: RunCall }
  | { readonly type: 'end'; readonly end: AnswerEnd }

/** How an answer ended. */
export interface AnswerEnd {
  /** `calls`: the client is to run them. `length`: it was cut off. */
  readonly reason: 'answer' | 'calls' | 'length'
  /** The sequence of the client that ended an answer. */
  readonly stopSequence?: string
  readonly usage: Usage
}

/** How far a call can be trusted, where that is not plain: an extension that clients may ignore. */
export function extensionOf(call: RunCall): { readonly toolglot: object } | undefined {
  const { repairs } = call
  const cautions = cautionsOf(call)
  if (repairs.length === 0 && cautions.length === 0) return undefined
  const trust = Object.fromEntries(cautions.map((caution) => [snakeCase(caution), true]))
  return { toolglot: { repairs: repairs.length > 0 ? repairs : undefined, ...trust } }
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
