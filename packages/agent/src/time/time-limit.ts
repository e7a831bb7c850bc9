import { startTimer } from './start-timer.ts'

/** A signal that stops after a time, unless that is ended before. */
export interface TimeLimit {
  readonly signal: AbortSignal
  /** The time no longer runs, and nobody else stops it. */
  readonly end: () => void
}

/**
 * Stops after so many milliseconds; never, where that is undefined or more than a timer can count. With `other`, also
 * when that does. `AbortSignal.timeout` is not used: where only `AbortSignal.any` knows it, Node 20 may forget it before
 * its time.
 */
export function timeLimit(milliseconds: number | undefined, other?: AbortSignal): TimeLimit {
  const controller = new AbortController()
  const timer = startTimer(milliseconds, stop)
  const leave = other && follow(other, controller)
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer)
      leave?.()
    },
  }

  function stop(): void {
    controller.abort(new DOMException('The time is over.', 'TimeoutError'))
  }
}

const followers = new WeakMap<AbortSignal, Set<AbortController>>()

/** Stops with a signal until it is left. However many follow a signal, it has one listener. */
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
