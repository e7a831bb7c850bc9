/** Waits for something, and no longer once a signal stops it. */
export async function unlessAborted<Value>(
  signal: AbortSignal,
  work: Promise<Value>,
): Promise<Value> {
  // What is not waited for any more may fail.
  work.catch(() => {})
  signal.throwIfAborted()
  let stop: (() => void) | undefined
  const stopped = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason as Error)
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([work, stopped])
  } finally {
    signal.removeEventListener('abort', stop!)
  }
}
