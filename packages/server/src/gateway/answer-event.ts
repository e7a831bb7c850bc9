import type { RunCall, Usage } from '@toolglot/agent'
import { cautionsOf } from '@toolglot/agent/adapter/internal'

/**
 * A piece of an answer to a client, independent of the API. Every call that starts also ends,
 * unless the answer fails.
 */
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

/** The end of an answer. */
export interface AnswerEnd {
  /** `calls`: the client must run the calls. `length`: the reply was cut off. */
  readonly reason: 'answer' | 'calls' | 'length'
  /** The client's stop sequence that ended the answer. */
  readonly stopSequence?: string
  readonly usage: Usage
}

/**
 * The cautions about a call, as an extension that clients may ignore. Undefined if there are none.
 */
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
