import type { Call, Malformed } from '@toolglot/core'
import type { CallResult, ResultsMessage } from '../../context/message.ts'
import { cutResult } from '../../result/cut-result.ts'
import type { ToolOutcome } from './tool-outcome.ts'
import { abandonCall, runCall } from './run-call.ts'
import type { LoopState } from '../loop/loop-state.ts'
import { callsOf, malformedOf, type Turn } from '../turn/turn.ts'

/** What became of a turn's calls. */
export interface TurnResults {
  readonly message: ResultsMessage
  /** Calls that could not be read, or were cut off. */
  readonly unreadable: number
  /** How often in a row a call was made that had been made before. */
  readonly repeats: number
  /** The last call that may be made was made. */
  readonly exhausted: boolean
}

/** Runs the calls of a turn: those that only read together, others one by one. Results are in the order of the calls. */
export async function runTurnCalls(state: LoopState, turn: Turn, index: number): Promise<TurnResults> {
  const { limits } = state
  const made = callsOf(turn)
  const wanted = made.slice(0, limits.maxCallsPerTurn)
  const calls = wanted.slice(0, Math.max(0, limits.maxToolCalls - state.toolCalls))
  state.toolCalls += calls.length
  let repeats = 0

  const results: CallResult[] = []
  for (const group of groupsOf(state, calls)) {
    state.signal.throwIfAborted()
    const done = await Promise.all(
      group.map(async (call) => {
        const repeated = repetition(state, call)
        if (repeated !== undefined) repeats = state.repeats.hit()
        return repeated ?? one(state, call, index, `turn/${index}/call/${made.indexOf(call)}`)
      }),
    )
    results.push(...done)
  }
  state.untrustedTexts.push(...results.filter((each) => isStrangers(state, each)).map(({ output }) => output))
  const notRun = made.length - calls.length
  const notes = [
    ...(notRun > 0 ? [notRunNote(notRun, made.length, wanted.length < made.length)] : []),
  ]
  const unread = malformedOf(turn)
  const told = unread.slice(0, limits.maxCallsPerTurn)
  results.push(...told.map((malformed, at) => unreadable(malformed, index, at)))
  return {
    message: { role: 'results', results, ...(notes.length > 0 && { notes }) },
    unreadable: unread.length + calls.filter((call) => !call.complete).length,
    repeats,
    exhausted: calls.length < wanted.length,
  }
}

/** Neighbours that only read are one group. */
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

async function one(state: LoopState, call: Call, turn: number, key: string): Promise<CallResult> {
  if (!call.complete) return cutOff(call)
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

/** Whether somebody else may have written a result. What is wrong with a call is said in the call's own words. */
function isStrangers({ outcomes }: LoopState, { call }: CallResult): boolean {
  const outcome = outcomes.get(call.id)
  const type = outcome?.failure?.error_type
  return outcome !== undefined && type !== 'invalid_input' && type !== 'permission_denied'
}

function repetition({ tools, repeats }: LoopState, call: Call): CallResult | undefined {
  if (tools.find(call.name)?.repeatable) return undefined
  const before = repeats.find(call.name, call.args)
  if (before === undefined) return undefined
  const { id, name, args } = call
  const head = before.length > 2000 ? `${before.slice(0, 2000)}…` : before
  return {
    call: { id, name, args },
    output: `You called ${name} with the same arguments before, and nothing has changed since: it was not run again. It gave:\n${head}\nTry something else, or answer with what you have.`,
    failed: true,
  }
}

function cutOff({ id, name, args, raw }: Call): CallResult {
  return {
    call: { id, name, args },
    output: `The call was cut off after ${raw.length} characters, so it was not run. Write it again, whole; if it is long, make it shorter or split it.`,
    failed: true,
    invalid: true,
  }
}

function unreadable({ hint, problem }: Malformed, turn: number, at: number): CallResult {
  return {
    call: { id: `malformed-${turn}-${at}`, name: 'unknown', args: {} },
    output: `This call could not be read (${problem}): ${hint}`,
    failed: true,
    invalid: true,
  }
}

function notRunNote(count: number, all: number, tooMany: boolean): string {
  const which = count === 1 ? 'The last call was' : `The last ${count} of ${all} calls were`
  const why = tooMany ? 'too many in one reply' : 'no more calls are allowed'
  return `${which} not run: ${why}.`
}
