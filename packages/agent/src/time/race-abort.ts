/** What some work gives. Work that does not hear that it is to stop is not waited for. */
export function raceAbort<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    // What stopping made fail is told by why it was stopped.
    const fail = (error: Error): void => (signal.aborted ? stop() : reject(error))
    work.then(resolve, fail).finally(() => signal.removeEventListener('abort', stop))
  })
}
