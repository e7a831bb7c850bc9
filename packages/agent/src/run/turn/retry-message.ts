import type { Malformed } from '@toolglot/core'
import type { CallResult, ResultsMessage } from '../../context/message.ts'
import { requiredCallText } from '../../context/render-system.ts'
import type { ToolChoice } from '../../model/model.ts'
import type { RunCall } from '../event.ts'
import type { TurnResult } from '../turn.ts'
import { messageCall } from './recorded-turn.ts'
import { missedChoice } from './request-options.ts'

/**
 * The message to send after a turn with unusable calls: explains why each call could not be read,
 * and that a call is required. Undefined if all calls are usable.
 */
export function retryMessage(
  { calls, malformed }: Pick<TurnResult, 'calls' | 'malformed'>,
  choice?: ToolChoice,
): ResultsMessage | undefined {
  const isUnread = malformed.length > 0 || calls.some(({ complete }) => !complete)
  const complete = calls.filter((call) => call.complete)
  const isMissed = missedChoice(choice, complete) !== undefined
  if (!isUnread && !isMissed) return undefined
  const results = [
    ...calls.map((call) => resultOf(call, isUnread)),
    ...malformed.slice(0, MAX_REPORTED).map((each, at) => malformedResult(each, 0, at)),
  ]
  const notes = isMissed ? [choiceText(choice)] : []
  return { role: 'results', results, ...(notes.length > 0 && { notes }) }
}

const MAX_REPORTED = 16

function resultOf(call: RunCall, isUnread: boolean): CallResult {
  const why = isUnread
    ? 'another call in the reply could not be read'
    : 'a different call is required'
  const how = call.complete
    ? ({ status: 'not_run', output: `It was not run, because ${why}.` } as const)
    : ({ status: 'cut_off', output: cutOffText(call.raw), invalid: true } as const)
  return { call: messageCall(call), ...how, failed: true }
}

function choiceText(choice: ToolChoice | undefined): string {
  return typeof choice === 'object' || choice === 'required'
    ? requiredCallText(choice)
    : 'You cannot call tools now. Answer without them.'
}

/** The result of a call that was cut off. */
export function cutOffText(raw: string): string {
  return `The call was cut off after ${raw.length} characters, so it was not run. Write the whole call again. If it is long, shorten or split it.`
}

/** The result of a malformed call. */
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
