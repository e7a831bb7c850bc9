import type { CallResult, ResultsMessage } from '../../context/message.ts'
import { untrustedTexts } from '../../context/summary.ts'
import type { CallKey, RecordKey, TurnKey } from '../../journal/keys.ts'
import { cutResult } from '../../result/cut-result.ts'
import { OTHER_PROTOCOL } from '../../tool/require-permission.ts'
import { timeLimit } from '../../time/time-limit.ts'
import type { RunCall } from '../event.ts'
import type { DuplicateOptions } from './call-options.ts'
import type { CallState } from './call-state.ts'
import { Paused } from '../loop/paused.ts'
import { callsOf, malformedOf, messageCall, type Turn } from '../turn/recorded-turn.ts'
import type { NotRun } from './not-run.ts'
import { type EarlierCall, isToBeRewritten } from './repeats.ts'
import { askInAdvance, runCall, type Running, skipCall, type Skipped } from './run-call.ts'
import { createSequence } from './sequence.ts'
import { settleAll } from './settle-all.ts'
import type { ToolOutcome } from './tool-outcome.ts'
import { cutOffText, malformedResult } from '../turn/retry-message.ts'

/** The results of the calls of a turn. */
export interface TurnResults {
  readonly message: ResultsMessage
  /** How many calls were malformed, cut off, or refused only because of how they were written. */
  readonly unreadable: number
  /** How many repeated calls there were in a row. */
  readonly repeats: number
  /** The limit of tool calls was reached. */
  readonly isExhausted: boolean
}

/** A call, and the key of its outcome. */
interface TurnCall {
  readonly call: RunCall
  readonly key: CallKey
}

/**
 * Runs the calls of a turn: read-only ones in parallel, others one by one. Results are in the order of the calls. With
 * `skipped`, none is run, for that reason.
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
  // Limits may have changed since: what was not run then is not run now.
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

/** It is recorded already. */
const neverAgain = (): Promise<never> => Promise.reject(new Error('It is not recorded.'))

/** Records that the calls of a turn from one on were not run. */
export async function skipCalls(
  { steps }: CallState,
  turn: TurnKey,
  from: number,
  text: string,
): Promise<void> {
  const key: RecordKey = { ...turn, type: 'not-run' }
  await steps.step<NotRun>(key, async () => ({ from, status: 'not_run', text }))
}

/** Runs calls, and collects their results in the order of the calls. */
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
  // The model had read none of them when it wrote these calls.
  state.untrustedTexts.push(...untrusted)
  return { results, repeats }
}

/** Runs one group of calls after the other. What needs approval in later groups is asked for at once. */
async function runTogether(
  state: CallState,
  calls: readonly TurnCall[],
  turn: number,
  onEnd: (call: TurnCall, outcome: ToolOutcome) => void,
): Promise<void> {
  const [first = [], ...later] = groupsOf(state, calls)
  const stop = timeLimit(undefined, state.signal)
  const { signal } = stop
  let failure: { readonly error: unknown } | undefined
  // A person is asked about the calls in their order.
  const inOrder = createSequence()
  const start = (each: TurnCall): Promise<ToolOutcome> =>
    inOrder((asked) => runOne(state, each, turn, { signal, asked }))
  const started = first.map(start)
  const requests = later
    .flat()
    .filter(({ call }) => !reasonToSkip(state, call, turn < state.abandonedTurns))
    .map(({ call, key }) =>
      inOrder((asked) => askInAdvance(state, call, key, { signal, asked })).catch((error) => {
        // If it pauses, so does the call itself when its turn comes.
        if (error instanceof Paused || signal.aborted) return
        failure ??= { error }
        stop.abort(error)
      }),
    )
  try {
    for (const group of [first, ...later]) {
      if (group !== first) state.signal.throwIfAborted()
      const done = await settleAll(group === first ? started : group.map(start), stop.abort)
      if (failure) throw failure.error
      // In the order of the calls, whichever ended first: a resumed run counts the same.
      for (const [at, each] of group.entries()) onEnd(each, done[at]!)
    }
  } catch (error) {
    // The requests for later calls are recorded first.
    if (error instanceof Paused) await Promise.all(requests)
    throw error
  } finally {
    stop.abort()
    await Promise.all(requests)
    stop.end()
  }
}

/** Consecutive read-only calls are one group. */
function groupsOf({ tools, parallel }: CallState, calls: readonly TurnCall[]): TurnCall[][] {
  const groups: { readOnly: boolean; calls: TurnCall[] }[] = []
  for (const each of calls) {
    const readOnly = parallel && tools.find(each.call.name)?.access.readOnly === true
    const last = groups.at(-1)
    if (last?.readOnly && readOnly) last.calls.push(each)
    else groups.push({ readOnly, calls: [each] })
  }
  return groups.map((group) => group.calls)
}

/** Runs a call, unless there is a reason not to. */
async function runOne(
  state: CallState,
  { call, key }: TurnCall,
  turn: number,
  running: Running,
): Promise<ToolOutcome> {
  const { steps, release, abandonedTurns } = state
  const skipped = steps.has(key) ? undefined : reasonToSkip(state, call, turn < abandonedTurns)
  if (!skipped) {
    if (!steps.has(key)) release.throwIfAborted()
    return runCall(state, call, key, running)
  }
  return skipCall(state, call, key, skipped)
}

function reasonToSkip(
  { tools, repeats, options }: CallState,
  { name, args, complete, raw }: RunCall,
  isAbandoned: boolean,
): Skipped | undefined {
  if (!complete) {
    return { status: 'cut_off', text: cutOffText(raw) }
  }
  const tool = tools.find(name)
  // A cache answers what it has, and knows when that is too old.
  const isCached = options.cacheResults && !options.duplicates?.on && tool?.access.readOnly
  const earlier = tool?.repeatable || isCached ? undefined : repeats.find(name, args)
  if (earlier) {
    const isHarmless = tool?.access.readOnly === true && !tool.dangerous
    const { on, warning } = options.duplicates ?? {}
    return repeated(earlier, name, isHarmless && on === 'reuse', warning)
  }
  return isAbandoned ? { status: 'cancelled', text: `${name} was not run.` } : undefined
}

/** The outcome of a call that repeats an earlier one. A change that was not made is never reported as one. */
function repeated(
  earlier: EarlierCall,
  name: string,
  isReused: boolean,
  warning: DuplicateOptions['warning'],
): Skipped {
  const { id: repeats, outcome, changes } = earlier
  if (isReused && outcome.status === 'success') return { ...outcome, repeats }
  const { text } = outcome
  const head = text.length > 2000 ? `${text.slice(0, 2000)}…` : text
  const why = changes
    ? 'It was not run a second time, because it may change something.'
    : 'Nothing has changed since, so it was not run again.'
  if (warning)
    return { status: 'duplicate', text: `${warning(name)} Its result was:\n${head}`, repeats }
  return {
    status: 'duplicate',
    text: `You have already called ${name} with the same arguments. ${why} Its result was:\n${head}\nTry something else, or answer with what you have.`,
    repeats,
  }
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
    // The tool has no text form of its own.
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
