// Stands in for what @toolglot/agent/internal is about to get.
import type { Message, TurnResult } from '@toolglot/agent'
import type { Schema } from '@toolglot/core'

export function schemaProblem(_: Schema): string | undefined {
  return undefined
}
export function requiredCallMessage(name: string | undefined, why: string | undefined): Message {
  return {
    role: 'results',
    results: [],
    notes: [`${why ?? ''} You must call ${name ?? 'a tool'} now.`.trim()],
  }
}
export function unreadableCallsMessage({ malformed }: TurnResult): Message {
  return {
    role: 'results',
    results: [],
    notes: malformed.map(({ hint }) => `This call could not be parsed: ${hint}`),
  }
}
