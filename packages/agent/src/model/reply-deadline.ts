import { startTimer } from '../time/start-timer.ts'
import { unlessAborted } from '../time/unless-aborted.ts'
import { ModelError } from './model-error.ts'
import type { ModelRequest } from './model.ts'

/** The time limits of one reply. */
export interface ReplyDeadline {
  /** Aborted when the caller aborts or a time limit is exceeded. */
  readonly signal: AbortSignal
  /** Waits for the next piece: for the first as long as it takes, for others up to the idle timeout. Time that the caller spends between pieces does not count. */
  waitFor<Piece>(work: Promise<Piece>): Promise<Piece>
  /** Waits for the reader of the reply: that time is not the model's. Rejects as soon as the signal aborts. */
  waitForReader(work: Promise<void>): Promise<void>
  /** Waits until the model can begin, which no limit counts. The work itself must end when the signal aborts. */
  waitForTurn<Turn>(work: Promise<Turn>): Promise<Turn>
  /** Throws the reason of an abort: the caller's, or a ModelError. */
  throwIfAborted(): void
  /** Clears the timers and closes the connection. */
  clear(): void
}

/** The default time limits, for requests that set none. */
export interface ReplyDeadlineOptions {
  /** The longest silence after the first piece, in milliseconds. */
  readonly idleTimeout: number
  /** How long the whole reply may take, in milliseconds; undefined for no limit. */
  readonly timeout: number | undefined
  /** The name of the server or model, for messages. */
  readonly name: string
}

/** Starts the clock of a reply. */
export function startReplyDeadline(
  request: ModelRequest,
  options: ReplyDeadlineOptions,
): ReplyDeadline {
  const known = deadlines.get(request.signal)
  if (known) return known
  const { name } = options
  const { signal: caller, idleTimeout = options.idleTimeout, timeout = options.timeout } = request
  const limit = timeout ?? Infinity
  const controller = new AbortController()
  const stop = (): void => controller.abort(caller.reason)
  if (caller.aborted) stop()
  else caller.addEventListener('abort', stop, { once: true })

  const began = performance.now()
  let wholeTimer: ReturnType<typeof setTimeout> | undefined
  /** How long the model was not at work, in milliseconds. */
  let pausedTime = 0
  let isPaused = false
  const checkWhole = (): void => {
    wholeTimer = undefined
    if (isPaused) return
    const left = began + pausedTime + limit - performance.now()
    if (left <= 0) controller.abort(timeoutError(name, limit))
    else wholeTimer = startTimer(left, checkWhole)
  }
  wholeTimer = startTimer(limit, checkWhole)
  const pauseFor = async <Value>(work: Promise<Value>): Promise<Value> => {
    const since = performance.now()
    isPaused = true
    const value = await work
    isPaused = false
    pausedTime += performance.now() - since
    if (!wholeTimer) checkWhole()
    return value
  }
  // One timer for all pieces of a reply.
  let idleTimer: ReturnType<typeof setTimeout> | undefined
  let waitingSince = Infinity
  /** The model reads the prompt before its first piece, which may take a slow machine any time. */
  let hasBegun = false
  const check = (): void => {
    const left = isPaused ? idleTimeout : waitingSince + idleTimeout - performance.now()
    if (left <= 0) controller.abort(idleError(name, idleTimeout))
    else idleTimer = startTimer(Math.min(left, idleTimeout), check)
  }
  const arrived = <Piece>(piece: Piece): Piece => {
    waitingSince = Infinity
    hasBegun = true
    return piece
  }
  const deadline: ReplyDeadline = {
    signal: controller.signal,
    waitFor(work) {
      waitingSince = performance.now()
      if (hasBegun) idleTimer ??= startTimer(idleTimeout, check)
      return work.then(arrived)
    },
    waitForReader: (work) => pauseFor(unlessAborted(controller.signal, work)),
    async waitForTurn(work) {
      const turn = await pauseFor(work)
      if (waitingSince < Infinity) waitingSince = performance.now()
      return turn
    },
    throwIfAborted: () => controller.signal.throwIfAborted(),
    clear() {
      clearTimeout(wholeTimer)
      clearTimeout(idleTimer)
      caller.removeEventListener('abort', stop)
      controller.abort(ENDED)
    },
  }
  deadlines.set(deadline.signal, { ...deadline, clear() {}, waitFor: (work) => work })
  return deadline
}

const deadlines = new WeakMap<AbortSignal, ReplyDeadline>()

/** Shared by all replies, since it is never shown. */
const ENDED = new Error('The reply has ended.')

function timeoutError(name: string, timeout: number): ModelError {
  const message = `${name} did not finish its reply within ${timeout / 1000} s. Ask for less, or raise the limit modelTimeout.`
  return new ModelError('timeout', message)
}

function idleError(name: string, timeout: number): ModelError {
  const message = `${name} sent nothing for ${timeout / 1000} s in the middle of its reply: it may be overloaded or stuck. To wait longer, raise the limit idleTimeout.`
  return new ModelError('idle', message)
}
