// Folder: Timers and aborts.
/** A signal that is aborted after a certain time, unless the limit is ended first. */
export interface TimeLimit {
  readonly signal: AbortSignal
  /** Stops the timer and stops following the other signal. */
  readonly end: () => void
}

/** A time limit that can also be aborted manually. */
interface AbortableLimit extends TimeLimit {
  /** Aborts immediately. */
  readonly abort: (reason?: unknown) => void
}

/**
 * Creates a signal that is aborted after a number of milliseconds, or never if that is undefined or
 * longer than a timer supports. It is also aborted together with `other`. Does not use
 * `AbortSignal.timeout`: if only `AbortSignal.any` references such a signal, Node 20 may collect it
 * before it fires.
 */
export function timeLimit(milliseconds: number | undefined, other?: AbortSignal): AbortableLimit {
  const controller = new AbortController()
  const timer = startTimer(milliseconds, stop)
  const unfollow = other && follow(other, controller)
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    end() {
      clearTimeout(timer)
      unfollow?.()
    },
  }

  function stop(): void {
    controller.abort(new DOMException('The time limit was reached.', 'TimeoutError'))
  }
}

const followers = new WeakMap<AbortSignal, Set<AbortController>>()

/**
 * Aborts a controller together with a signal. Each signal has only one listener, however many
 * controllers follow it.
 */
function follow(signal: AbortSignal, controller: AbortController): (() => void) | undefined {
  if (signal.aborted) {
    controller.abort(signal.reason)
    return undefined
  }
  let all = followers.get(signal)
  if (!all) {
    const those = (all = new Set<AbortController>())
    followers.set(signal, those)
    const stop = (): void => {
      for (const each of those) each.abort(signal.reason)
    }
    signal.addEventListener('abort', stop, { once: true })
  }
  all.add(controller)
  return () => void all.delete(controller)
}

/** Starts a timer, unless the delay is undefined or longer than a timer supports. */
export function startTimer(
  milliseconds: number | undefined,
  work: () => void,
): ReturnType<typeof setTimeout> | undefined {
  return milliseconds !== undefined && milliseconds < 2 ** 31
    ? setTimeout(work, milliseconds)
    : undefined
}

/** Settles like the work, but rejects with the signal's reason as soon as the signal is aborted. */
export function unlessAborted<Value>(signal: AbortSignal, work: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    // If the work fails because of the abort, report the reason of the abort.
    const fail = (error: Error): void => (signal.aborted ? stop() : reject(error))
    work.then(resolve, fail).finally(() => signal.removeEventListener('abort', stop))
  })
}

/** Waits for a time. Rejects with the signal's reason if the signal is aborted first. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal.addEventListener('abort', stop, { once: true })
  })
}
