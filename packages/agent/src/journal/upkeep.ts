/** Upkeep of an open journal in the background. */
export interface Upkeep {
  /** Ends it after its current step. */
  stop(): Promise<void>
}

/** Does some work soon after a journal is opened, and then every hour. A failure is passed to `failed`. */
export function startUpkeep(
  work: (signal: AbortSignal) => Promise<void>,
  failed: (error: Error) => void,
): Upkeep {
  const stopped = new AbortController()
  let working = Promise.resolve()
  // A short command is not delayed.
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
