import type { Malformed } from '@toolglot/core'
import type { CallResult } from '../../context/message.ts'

/** What a model is told about a call that was cut off. */
export function cutOffText(raw: string): string {
  return `The call was cut off after ${raw.length} characters, so it was not run. Write the whole call again; if it is long, shorten it or split it.`
}

/** What a model is told about a malformed call, as a result, since it waits for one. */
export function malformedResult(
  { hint, problem }: Malformed,
  turn: number,
  at: number,
): CallResult {
  return {
    call: { id: `malformed-${turn}-${at}`, name: 'unknown', args: {} },
    output: `This call could not be parsed (${problem}): ${hint}`,
    failed: true,
    invalid: true,
  }
}
