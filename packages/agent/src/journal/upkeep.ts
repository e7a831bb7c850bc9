/** Maintenance of an open journal in the background. */
export interface Upkeep {
  /** Stops after the current step. */
  stop(): Promise<void>
}

/**
 * Starts maintenance soon after a journal is opened and repeats it every hour. Failures are passed
 * to `failed`.
 */
export function startUpkeep(
  work: (signal: AbortSignal) => Promise<void>,
  failed: (error: Error) => void,
): Upkeep {
  const stopped = new AbortController()
  let working = Promise.resolve()
  // Late enough not to delay short commands.
  let timer = schedule(1000)

  function schedule(delay: number): NodeJS.Timeout {
    return setTimeout(() => {
      working = work(stopped.signal)
        .catch(failed)
        .then(() => {
          if (!stopped.signal.aborted) timer = schedule(HOUR)
        })
    }, delay).unref()
  }

  return {
    async stop() {
      stopped.abort()
      clearTimeout(timer)
      await working
    },
  }
}

const HOUR = 3_600_000
