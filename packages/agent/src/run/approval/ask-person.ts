import type { ApprovalRequest } from '@toolglot/permissions'
import { type CallKey, printKey, type RecordKey } from '../../journal/keys.ts'
import { pause } from '../../time/time-limit.ts'
import type { Answers, Ask, Question } from '../../tool/question.ts'
import type { ApprovalAnswer } from '../options.ts'
import { requestEvent } from '../event.ts'
import { Paused } from '../ends.ts'
import type { CallState } from '../state.ts'

/** A request to a person, recorded while the run waits for the answer. */
export type WaitRequest = {
  /** The name of the called tool, as written by the model. */
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
} & (
  | { readonly type: 'approval'; readonly request: ApprovalRequest }
  | { readonly type: 'question'; readonly call: string; readonly questions: readonly Question[] }
)

/** True if a person can approve calls. */
export function hasApprover({ options }: CallState): boolean {
  return options.approve !== undefined || options.attended === true || options.onWait === 'suspend'
}

const NOBODY: ApprovalAnswer = { verdict: 'deny', reason: 'There is nobody to ask.' }

/** A request and the ways to answer it. */
interface Asking<Answer> {
  readonly asked: WaitRequest
  /** Asks the person in this process. */
  readonly inside: ((signal: AbortSignal) => Promise<unknown>) | undefined
  /** The answer if the request expires. */
  readonly expired?: () => unknown
  /** Checks an answer. Answers from outside may be any data. */
  readonly read: (given: unknown) => Answer | Promise<Answer>
  /** Aborted when the answer is no longer needed. */
  readonly signal: AbortSignal
  /** Allow suspending the run until there is an answer. */
  readonly canSuspend?: boolean
}

/** Asks a person, or returns the recorded answer to the same request. */
export function askOnce<Answer>(
  state: CallState,
  key: RecordKey,
  question: Asking<Answer>,
): Promise<Answer> {
  const printed = printKey(key)
  const known = state.asked.get(printed)
  if (known) return known as Promise<Answer>
  const answer = state.steps.step(key, async () =>
    question.read(await waitFor(state, key, question)),
  )
  state.asked.set(printed, answer)
  answer.catch(() => state.asked.delete(printed))
  return answer
}

function waitFor(
  state: CallState,
  key: RecordKey,
  { asked, inside, expired, signal, canSuspend = true }: Asking<unknown>,
): Promise<unknown> {
  const { steps, options, release, emit } = state
  return steps.wait<unknown, WaitRequest>(key, {
    request: asked,
    onAgain: (recorded) => emit(requestEvent(printKey(key), recorded)),
    suspend(recorded) {
      const expires = (expired && expiryOf(recorded)) ?? Infinity
      const isOver = expires <= Date.now()
      if (options.onWait !== 'suspend' || !canSuspend || isOver) return undefined
      state.suspendedFor.set(printKey(key), expires)
      return new Paused('suspended')
    },
    ask(stop, recorded) {
      // No approver is present, so only a recorded answer could count.
      if (recorded.type === 'approval' && !hasApprover(state)) return Promise.resolve(NOBODY)
      const expires = expiryOf(recorded)
      const ways = [
        ...(expired && expires !== undefined ? [deadline(expires, stop).then(expired)] : []),
        ...(inside ? [oneByOne(state, stop, inside)] : []),
      ]
      return ways.length > 0 ? Promise.race(ways) : new Promise(() => {})
    },
    signal: AbortSignal.any([signal, release]),
  })
}

function expiryOf(asked: WaitRequest): number | undefined {
  return asked.type === 'approval' ? asked.request.expires : undefined
}

/** Waits until the given time. */
async function deadline(time: number, signal: AbortSignal): Promise<void> {
  while (Date.now() < time) await pause(Math.min(time - Date.now(), MAX_PAUSE), signal)
}

/** The maximum duration of a timer. */
const MAX_PAUSE = 2 ** 31 - 1

/**
 * Asks the person in this process one question at a time. Skips questions already answered from
 * outside.
 */
function oneByOne(
  state: CallState,
  signal: AbortSignal,
  ask: (signal: AbortSignal) => Promise<unknown>,
): Promise<unknown> {
  const answered = state.askedLast.then(() => {
    signal.throwIfAborted()
    return ask(signal)
  })
  state.askedLast = answered.catch(() => {})
  return answered
}

/** Creates the function with which a tool asks a person. Undefined if no one could answer. */
export function createAsk(
  state: CallState,
  { id: call, name, args }: Pick<WaitRequest, 'name' | 'args'> & { readonly id: string },
  key: CallKey,
  canPause: () => boolean,
): Ask | undefined {
  const { ask, attended, onWait } = state.options
  if (!ask && !attended && onWait !== 'suspend') return undefined
  let count = 0
  return async (questions, signal) => {
    const number = count++
    const asked: RecordKey = { ...key, type: 'question', number }
    const answer = await askOnce(state, asked, {
      asked: { type: 'question', call, name, args, questions },
      inside: ask && ((stop) => ask(questions, stop)),
      read: (given) => ({ call, answers: readAnswers(given) }),
      signal,
      canSuspend: canPause(),
    })
    return answer.answers
  }
}

/** Keeps only valid answers. Data from outside may have any form. */
function readAnswers(given: unknown): Answers {
  if (typeof given !== 'object' || given === null) return {}
  return Object.fromEntries(
    Object.entries(given).filter(
      (entry): entry is [string, string | string[]] =>
        typeof entry[1] === 'string' ||
        (Array.isArray(entry[1]) && entry[1].every((each) => typeof each === 'string')),
    ),
  )
}
