import { startTimer } from '../time/start-timer.ts'
import { ModelError } from './model-error.ts'
import type { ModelRequest } from './model.ts'

/** How long a model is waited for. */
export interface ReplyDeadline {
  /** Aborted when the caller stops, or when it took too long. */
  readonly signal: AbortSignal
  /** Waits for the next piece, for no longer than a model may be silent. Who reads slowly is not counted. */
  next<Piece>(work: Promise<Piece>): Promise<Piece>
  /** All that matters was said: only the connection is still to end, by itself or soon. */
  closing(): void
  /** Throws why it was aborted: what the caller gave, or a ModelError. */
  throwIfOver(): void
  /** Ends the waiting, and the connection with it. */
  end(): void
}

export interface ReplyDeadlineOptions {
  /** Without a byte, in milliseconds; four times that before the first. */
  readonly idleTimeout: number
  /** For the whole reply, in milliseconds. */
  readonly timeout: number
  /** Who does not answer, for people. */
  readonly name: string
}

export function startReplyDeadline(
  request: ModelRequest,
  options: ReplyDeadlineOptions,
): ReplyDeadline {
  const { name } = options
  const { signal: caller, idleTimeout = options.idleTimeout, timeout = options.timeout } = request
  const own = new AbortController()
  const stop = (): void => own.abort(caller.reason)
  if (caller.aborted) stop()
  else caller.addEventListener('abort', stop, { once: true })

  const whole = startTimer(timeout, () => own.abort(tooLong(name, timeout)))
  // One clock for all pieces of a reply.
  let idle: ReturnType<typeof setTimeout> | undefined
  let since = Infinity
  let most = idleTimeout * FIRST_PIECE_FACTOR
  const check = (): void => {
    const left = since + most - performance.now()
    if (left <= 0) own.abort(silent(name, most))
    else idle = startTimer(Math.min(left, most), check)
  }
  let closing: ReturnType<typeof setTimeout> | undefined
  return {
    signal: own.signal,
    async next(work) {
      since = performance.now()
      idle ??= startTimer(idleTimeout, check)
      try {
        return await work
      } finally {
        since = Infinity
        most = idleTimeout
      }
    },
    closing() {
      closing ??= startTimer(SOON, () => own.abort(new Error('it does not hang up')))
    },
    throwIfOver: () => own.signal.throwIfAborted(),
    end() {
      clearTimeout(whole)
      clearTimeout(idle)
      clearTimeout(closing)
      caller.removeEventListener('abort', stop)
      own.abort(OVER)
    },
  }
}

/** Before it says its first word a model reads the prompt, which takes so many times longer. */
const FIRST_PIECE_FACTOR = 4

/** One for all, since none is ever shown. */
const OVER = new Error('The reply is over.')

/** A connection that ended can be used again; one that is left open is not waited for. */
const SOON = 50

function tooLong(name: string, timeout: number): ModelError {
  const message = `${name} did not finish its reply in ${timeout / 1000} s: ask for less, or allow more time.`
  return new ModelError('timeout', message)
}

function silent(name: string, timeout: number): ModelError {
  const message = `${name} sent nothing for ${timeout / 1000} s: it may be overloaded or stuck.`
  return new ModelError('idle', message)
}
