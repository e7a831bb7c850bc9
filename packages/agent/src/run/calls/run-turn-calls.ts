import type { CallResult, ResultsMessage } from '../../context/message.ts'
import { untrustedTexts } from '../../context/summary.ts'
import type { RecordKey, TurnKey } from '../../journal/keys.ts'
import { cutResult } from '../../result/cut-result.ts'
import { OTHER_PROTOCOL } from '../../tool/require-permission.ts'
import type { RunCall } from '../event.ts'
import { callsOf, malformedOf, messageCall, type Turn } from '../turn/recorded-turn.ts'
import { malformedResult } from '../turn/retry-message.ts'
import type { CallState } from '../state.ts'
import { isToBeRewritten } from './repeats.ts'
import { runOne, runTogether, type TurnCall } from './run-together.ts'
import type { NotRun, ToolOutcome } from './tool-outcome.ts'

/** The results of a turn's calls. */
export interface TurnResults {
  readonly message: ResultsMessage
  /**
   * The number of calls that were malformed, cut off, or rejected only because of their notation.
   */
  readonly unreadable: number
  /** The number of consecutive repeated calls. */
  readonly repeats: number
  /** True if the limit on tool calls was reached. */
  readonly isExhausted: boolean
}

/**
 * Runs the calls in a turn: read-only calls in parallel, all others one by one. Results are in the
 * order of the calls. If `skipped` is given, no call runs; it is the reason.
 */
export async function runTurnCalls(
  state: CallState,
  turn: Turn,
  index: number,
  skipped?: string,
): Promise<TurnResults> {
  const { limits, steps } = state
  const turnKey: TurnKey = { type: 'turn', turn: index }
  const all = callsOf(turn).map((call, at): TurnCall => ({
    call,
    key: { ...turnKey, type: 'call', call: at },
  }))
  const accepted = all.slice(0, limits.maxCallsPerTurn)
  const left = Math.max(0, limits.maxToolCalls - state.toolCalls)
  const isExhausted = left < accepted.length
  // Limits may have changed since the calls were recorded: a call left out then is also left out
  // now.
  const key: RecordKey = { ...turnKey, type: 'not-run' }
  const before = steps.has(key) ? await steps.step<NotRun>(key, neverAgain) : undefined
  const from = before?.from ?? (skipped === undefined ? Math.min(left, accepted.length) : 0)
  const calls = all.slice(0, from)
  state.toolCalls += calls.length
  state.calls = all.map(({ key }) => key)
  const { results, repeats } = await runCalls(state, calls, index)
  const notRun = all.length - calls.length
  const note =
    before?.text ?? skipped ?? notRunNote(notRun, all.length, accepted.length < all.length)
  const notes = notRun > 0 ? [note] : []
  if (notRun > 0 && !before && !steps.has({ ...turnKey, turn: index + 1 }))
    await skipCalls(state, turnKey, from, note)
  state.calls = []
  const malformed = malformedOf(turn)
  const cutOff = calls.filter(({ call }) => !call.complete).length
  const rewritten = results.filter(isToBeRewritten).length
  const reported = malformed.slice(0, limits.maxCallsPerTurn)
  results.push(...reported.map((each, at) => malformedResult(each, index, at)))
  return {
    message: { role: 'results', results, ...(notes.length > 0 && { notes }) },
    unreadable: malformed.length + cutOff + rewritten,
    repeats,
    isExhausted,
  }
}

/** Stands in for the work of a step that is already recorded and thus never runs. */
const neverAgain = (): Promise<never> => Promise.reject(new Error('It is not recorded.'))

/** Records that a turn's calls from a certain one on did not run. */
export async function skipCalls(
  { steps }: CallState,
  turn: TurnKey,
  from: number,
  text: string,
): Promise<void> {
  const key: RecordKey = { ...turn, type: 'not-run' }
  await steps.step<NotRun>(key, async () => ({ from, status: 'not_run', text }))
}

/** Runs calls and collects their results in the order of the calls. */
async function runCalls(
  state: CallState,
  calls: readonly TurnCall[],
  turn: number,
): Promise<{ readonly results: CallResult[]; readonly repeats: number }> {
  const results: CallResult[] = []
  const untrusted: string[] = []
  let repeats = 0
  const onEnd = ({ call }: TurnCall, outcome: ToolOutcome): void => {
    const result = resultOf(state, call, outcome)
    const ended = { ...outcome, invalid: result.invalid }
    repeats = state.repeats.record(call, ended, state.tools.find(call.name))
    untrusted.push(...untrustedTexts({ role: 'results', results: [result] }))
    results.push(result)
  }
  const [only, ...others] = calls
  if (only && others.length === 0) {
    const { signal } = state
    onEnd(only, await runOne(state, only, turn, { signal, asked: () => {} }))
  } else await runTogether(state, calls, turn, onEnd)
  // Added only now, because the model wrote these calls before it read any of their results.
  state.untrustedTexts.push(...untrusted)
  return { results, repeats }
}

function resultOf({ limits, tools }: CallState, call: RunCall, outcome: ToolOutcome): CallResult {
  const { status, text, failure, data } = outcome
  const { maxResult } = limits
  const isCut = text.length > maxResult
  const canReadMore = isCut && tools.offerReadMore()
  const code = failure?.details?.['code']
  const otherProtocol = status === 'denied' && code === OTHER_PROTOCOL
  const invalid =
    status === 'cut_off' ||
    failure?.error_type === 'invalid_input' ||
    code === 'unknown_tool' ||
    otherProtocol
  return {
    call: messageCall(call),
    output: cutResult(text, maxResult, canReadMore ? call.id : undefined),
    // Use the data only if the tool doesn't define its own text form.
    ...(data !== undefined && !isCut && JSON.stringify(data) === text && { data }),
    status,
    ...(status !== 'success' && { failed: true }),
    ...(outcome.repeats !== undefined && { repeats: outcome.repeats }),
    ...(invalid && { invalid }),
    ...(otherProtocol && { otherProtocol }),
  }
}

function notRunNote(count: number, all: number, tooMany: boolean): string {
  const which = count === 1 ? 'The last call was' : `The last ${count} of ${all} calls were`
  const why = tooMany ? 'too many calls in one reply' : 'the limit of calls was reached'
  return `${which} not run: ${why}.`
}
