import { defaultLimits } from '../limits.ts'
import { startTimer, unlessAborted } from '../time/time-limit.ts'
import { ModelError } from './model-error.ts'
import type { ModelRequest } from './model.ts'

/**
 * The time limits of a reply in progress: one for the whole reply, and one for time without output.
 */
export interface TimedReply {
  /** Aborted when the caller aborts or the time runs out. */
  readonly signal: AbortSignal
  /**
   * Waits for the next piece. After the first piece, the idle timeout applies. Time that the caller
   * spends between pieces does not count.
   */
  readonly waitFor: <Piece>(work: Promise<Piece>) => Promise<Piece>
  /**
   * Waits for the reader of the reply, without counting the time. Rejects as soon as the signal is
   * aborted.
   */
  readonly waitForReader: (work: Promise<void>) => Promise<void>
  /**
   * Waits until the model can start, without counting the time. The work itself must stop when the
   * signal is aborted.
   */
  readonly waitForTurn: <Turn>(work: Promise<Turn>) => Promise<Turn>
  /** Throws the reason if the reply was aborted: the caller's reason, or a ModelError. */
  readonly throwIfAborted: () => void
  /** Clears the timers and closes the connection. */
  readonly end: () => void
}

/** The default time limits of a connection. */
export interface ReplyTimes {
  /** The maximum time without output after the first piece, in milliseconds. */
  readonly idleTimeout?: number | undefined
  /** The maximum total time for a reply, in milliseconds. */
  readonly timeout?: number | undefined
  /** The name of the server or model, for error messages. */
  readonly name: string
}

/**
 * Starts the time limits of a reply. If a run has already started them for this request, its
 * connection shares them.
 */
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
  /** The time during which the model did not work, in milliseconds. */
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
  /**
   * Until the first piece, the model may be reading the prompt, which can take any time on a slow
   * machine.
   */
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
  // The run applies the idle timeout and ends the reply, so the shared limits do neither.
  shared.set(signal, { ...timed, waitFor: (work) => work, end() {} })
  return timed
}

const shared = new WeakMap<AbortSignal, TimedReply>()

/** Shared by all replies, because it never reaches a caller. */
const ENDED = new Error('The reply has ended.')

function timeoutError(name: string, timeout: number): ModelError {
  const message = `${name} did not finish its reply within ${timeout / 1000} s. Ask for less, or raise the limit modelTimeout.`
  return new ModelError('timeout', message)
}

function idleError(name: string, timeout: number): ModelError {
  const message = `${name} sent nothing for ${timeout / 1000} s in the middle of its reply: it may be overloaded or stuck. To wait longer, raise the limit idleTimeout.`
  return new ModelError('idle', message)
}
