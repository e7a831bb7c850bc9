import { hasMarks, isWrittenAsAsked } from '@toolglot/agent/internal'
import type { Call, Protocol } from '@toolglot/core'

/** A call that a model made when it was tried, in text or by function calling. */
export type TriedCall = Pick<
  Call,
  'name' | 'protocol' | 'complete' | 'repairs' | 'markerless' | 'fenced' | 'otherProtocol'
> & { readonly args: unknown }

/** The call that a model was asked for. */
export interface ExpectedCall {
  readonly name: string
  /** The arguments in words, for messages: `Hanoi`. */
  readonly args: string
  isRight(args: unknown): boolean
}

/** In which way a call is not the one that was asked for. `text` is the text besides calls and reasoning. */
export function callProblem(
  call: TriedCall,
  expected: ExpectedCall,
  { text, protocol }: { readonly text: string; readonly protocol: Protocol | undefined },
): string | undefined {
  if (!call.complete) return `the call of ${call.name} is incomplete`
  if (call.name !== expected.name) return `called ${call.name} instead of ${expected.name}`
  if (!expected.isRight(call.args))
    return `with other arguments than ${expected.args}: ${argumentsOf(call)}`
  if (!protocol || isWrittenAsAsked(call, text, protocol)) return undefined
  const what = hasMarks(protocol) ? 'in' : 'as the whole reply in'
  return `not ${what} the ${protocol.id} format: read-only tools will run, others need approval`
}

function argumentsOf({ args }: TriedCall): string {
  return (JSON.stringify(args) ?? 'none').slice(0, 200)
}
