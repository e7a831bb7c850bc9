/** A signal that stops after a time, unless that is ended before. */
export interface TimeLimit {
  readonly signal: AbortSignal
  /** The time no longer runs. */
  readonly end: () => void
}

/**
 * Stops after so many milliseconds; never, where that is undefined or more than a timer can count. `AbortSignal.timeout`
 * is not used: where only `AbortSignal.any` knows it, Node 20 may forget it before its time.
 */
export function timeLimit(milliseconds: number | undefined): TimeLimit {
  const controller = new AbortController()
  const isCounted = milliseconds !== undefined && milliseconds < 2 ** 31
  const timer = isCounted ? setTimeout(stop, milliseconds) : undefined
  return { signal: controller.signal, end: () => clearTimeout(timer) }

  function stop(): void {
    controller.abort(new DOMException('The time is over.', 'TimeoutError'))
  }
}
