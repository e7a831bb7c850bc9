import type { Call, Malformed } from '@toolglot/core'
import type { CallResult, ResultsMessage } from '../../context/message.ts'
import { cutResult } from '../../result/cut-result.ts'
import type { ToolOutcome } from './tool-outcome.ts'
import { abandonCall, runCall } from './run-call.ts'
import type { LoopState } from '../loop/loop-state.ts'
import { callsOf, malformedOf, type Turn } from '../turn/turn.ts'

/** The results of the calls of a turn. */
export interface TurnResults {
  readonly message: ResultsMessage
  /** How many calls were malformed or cut off. */
  readonly unreadable: number
  /** How many repeated calls there were in a row. */
  readonly repeats: number
  /** The limit of tool calls was reached. */
  readonly exhausted: boolean
}

/** Runs the calls of a turn: read-only ones in parallel, others one by one. Results are in the order of the calls. */
export async function runTurnCalls(
  state: LoopState,
  turn: Turn,
  index: number,
): Promise<TurnResults> {
  const { limits } = state
  const all = callsOf(turn)
  const accepted = all.slice(0, limits.maxCallsPerTurn)
  const calls = accepted.slice(0, Math.max(0, limits.maxToolCalls - state.toolCalls))
  state.toolCalls += calls.length
  let repeats = 0

  const results: CallResult[] = []
  for (const group of groupsOf(state, calls)) {
    state.signal.throwIfAborted()
    const groupResults = await Promise.all(
      group.map(async (call) => {
        const repeated = repeatedResult(state, call)
        if (repeated !== undefined) repeats = state.repeats.countHit()
        return repeated ?? runOne(state, call, index, `turn/${index}/call/${all.indexOf(call)}`)
      }),
    )
    results.push(...groupResults)
  }
  state.untrustedTexts.push(
    ...results.filter((each) => isUntrusted(state, each)).map(({ output }) => output),
  )
  const notRun = all.length - calls.length
  const notes = [
    ...(notRun > 0 ? [notRunNote(notRun, all.length, accepted.length < all.length)] : []),
  ]
  const malformed = malformedOf(turn)
  const reported = malformed.slice(0, limits.maxCallsPerTurn)
  results.push(...reported.map((each, at) => malformedResult(each, index, at)))
  return {
    message: { role: 'results', results, ...(notes.length > 0 && { notes }) },
    unreadable: malformed.length + calls.filter((call) => !call.complete).length,
    repeats,
    exhausted: calls.length < accepted.length,
  }
}

/** Consecutive read-only calls are one group. */
function groupsOf({ tools, parallel }: LoopState, calls: readonly Call[]): Call[][] {
  const groups: { readOnly: boolean; calls: Call[] }[] = []
  for (const call of calls) {
    const readOnly = parallel && tools.find(call.name)?.access.readOnly === true
    const last = groups.at(-1)
    if (last?.readOnly && readOnly) last.calls.push(call)
    else groups.push({ readOnly, calls: [call] })
  }
  return groups.map((group) => group.calls)
}

async function runOne(
  state: LoopState,
  call: Call,
  turn: number,
  key: string,
): Promise<CallResult> {
  if (!call.complete) return cutOffResult(call)
  const outcome = await (turn < state.abandonedTurns ? abandonCall : runCall)(state, call, key)
  const tool = state.tools.find(call.name)
  const changes = tool !== undefined && !tool.access.readOnly && outcome.status !== 'denied'
  state.repeats.add(call.name, call.args, outcome.text, changes)
  return resultOf(state, call, outcome)
}

function resultOf({ limits, tools }: LoopState, call: Call, outcome: ToolOutcome): CallResult {
  if (outcome.text.length > limits.maxResult) tools.offerReadMore()
  const { id, name, args } = call
  const invalid = outcome.failure?.error_type === 'invalid_input'
  return {
    call: { id, name, args },
    output: cutResult(outcome.text, limits.maxResult, id),
    ...(outcome.status !== 'success' && { failed: true }),
    ...(invalid && { invalid }),
  }
}

/** Whether a result may come from somebody else. Problems with a call only quote the call itself. */
function isUntrusted({ outcomes }: LoopState, { call }: CallResult): boolean {
  const outcome = outcomes.get(call.id)
  const type = outcome?.failure?.error_type
  return outcome !== undefined && type !== 'invalid_input' && type !== 'permission_denied'
}

function repeatedResult({ tools, repeats }: LoopState, call: Call): CallResult | undefined {
  if (tools.find(call.name)?.repeatable) return undefined
  const earlier = repeats.find(call.name, call.args)
  if (earlier === undefined) return undefined
  const { id, name, args } = call
  const head = earlier.length > 2000 ? `${earlier.slice(0, 2000)}…` : earlier
  return {
    call: { id, name, args },
    output: `You have already called ${name} with the same arguments, and nothing has changed since, so it was not run again. Its result was:\n${head}\nTry something else, or answer with what you have.`,
    failed: true,
  }
}

function cutOffResult({ id, name, args, raw }: Call): CallResult {
  return {
    call: { id, name, args },
    output: `The call was cut off after ${raw.length} characters, so it was not run. Write the whole call again; if it is long, shorten it or split it.`,
    failed: true,
    invalid: true,
  }
}

function malformedResult({ hint, problem }: Malformed, turn: number, at: number): CallResult {
  return {
    call: { id: `malformed-${turn}-${at}`, name: 'unknown', args: {} },
    output: `This call could not be parsed (${problem}): ${hint}`,
    failed: true,
    invalid: true,
  }
}

function notRunNote(count: number, all: number, tooMany: boolean): string {
  const which = count === 1 ? 'The last call was' : `The last ${count} of ${all} calls were`
  const why = tooMany ? 'too many calls in one reply' : 'the limit of calls was reached'
  return `${which} not run: ${why}.`
}
