import { defaultLimits } from '../limits.ts'
import { startTimer } from '../time/time-limit.ts'
import { unlessAborted } from '../time/unless-aborted.ts'
import { ModelError } from './model-error.ts'
import type { ModelRequest } from './model.ts'

/** A reply in progress, with its deadline: the limit of its whole time, and of a silence in it. */
export interface TimedReply {
  /** Aborted when the caller aborts or a time limit is exceeded. */
  readonly signal: AbortSignal
  /** Waits for the next piece: for the first as long as it takes, for others up to the idle timeout. Time that the caller spends between pieces does not count. */
  readonly waitFor: <Piece>(work: Promise<Piece>) => Promise<Piece>
  /** Waits for the reader of the reply: that time is not the model's. Rejects as soon as the signal aborts. */
  readonly waitForReader: (work: Promise<void>) => Promise<void>
  /** Waits until the model can begin, which no limit counts. The work itself must end when the signal aborts. */
  readonly waitForTurn: <Turn>(work: Promise<Turn>) => Promise<Turn>
  /** Throws the reason of an abort: the caller's, or a ModelError. */
  readonly throwIfAborted: () => void
  /** Clears the timers and closes the connection. */
  readonly end: () => void
}

/** The time limits of a connection, for requests that set none. */
export interface ReplyTimes {
  /** The longest silence after the first piece, in milliseconds. */
  readonly idleTimeout?: number | undefined
  /** How long the whole reply may take, in milliseconds. */
  readonly timeout?: number | undefined
  /** The name of the server or model, for messages. */
  readonly name: string
}

/** Starts the clock of a reply. A run and its connection share one: then the run's limits count. */
export function startReply(request: ModelRequest, times: ReplyTimes): TimedReply {
  const known = shared.get(request.signal)
  if (known) return known
  const { name } = times
  const {
    signal: caller,
    idleTimeout = times.idleTimeout ?? defaultLimits.idleTimeout,
    timeout = times.timeout ?? defaultLimits.modelTimeout ?? Infinity,
  } = request
  const controller = new AbortController()
  const { signal } = controller
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
    const left = began + pausedTime + timeout - performance.now()
    if (left <= 0) controller.abort(timeoutError(name, timeout))
    else wholeTimer = startTimer(left, checkWhole)
  }
  wholeTimer = startTimer(timeout, checkWhole)
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
  const checkIdle = (): void => {
    const left = isPaused ? idleTimeout : waitingSince + idleTimeout - performance.now()
    if (left <= 0) controller.abort(idleError(name, idleTimeout))
    else idleTimer = startTimer(Math.min(left, idleTimeout), checkIdle)
  }
  const arrived = <Piece>(piece: Piece): Piece => {
    waitingSince = Infinity
    hasBegun = true
    return piece
  }

  const timed: TimedReply = {
    signal,
    waitFor(work) {
      waitingSince = performance.now()
      if (hasBegun) idleTimer ??= startTimer(idleTimeout, checkIdle)
      return work.then(arrived)
    },
    waitForReader: (work) => pauseFor(unlessAborted(signal, work)),
    async waitForTurn(work) {
      const turn = await pauseFor(work)
      if (waitingSince < Infinity) waitingSince = performance.now()
      return turn
    },
    throwIfAborted: () => signal.throwIfAborted(),
    end() {
      clearTimeout(wholeTimer)
      clearTimeout(idleTimer)
      caller.removeEventListener('abort', stop)
      controller.abort(ENDED)
    },
  }
  // The run measures the silences, and ends it.
  shared.set(signal, { ...timed, waitFor: (work) => work, end() {} })
  return timed
}

const shared = new WeakMap<AbortSignal, TimedReply>()

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
