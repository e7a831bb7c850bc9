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
