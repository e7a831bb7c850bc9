// Folder: Timers and aborts.
/** A signal that aborts after a time, unless the limit is ended first. */
export interface TimeLimit {
  readonly signal: AbortSignal
  /** Stops the timer and no longer follows the other signal. */
  readonly end: () => void
}

/** A limit that can also be aborted. */
interface AbortableLimit extends TimeLimit {
  /** Aborts now. */
  readonly abort: (reason?: unknown) => void
}

/**
 * Creates a signal that aborts after some milliseconds; never, if that is undefined or longer than a timer supports. It
 * also aborts with `other`. `AbortSignal.timeout` is not used: if only `AbortSignal.any` refers to it, Node 20 may
 * collect it before it fires.
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

/** Aborts a controller with a signal. A signal has one listener, however many controllers follow it. */
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

/** Settles as the work does, but rejects with the signal's reason as soon as that aborts. */
export function unlessAborted<Value>(signal: AbortSignal, work: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    // Work that fails because of the abort reports the reason of the abort.
    const fail = (error: Error): void => (signal.aborted ? stop() : reject(error))
    work.then(resolve, fail).finally(() => signal.removeEventListener('abort', stop))
  })
}

/** Waits for a time, or rejects with the signal's reason if that aborts first. */
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
