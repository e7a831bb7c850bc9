/** One at a time for each name, in the order they came. */
export function createLocks(): (name: string, signal?: AbortSignal) => Promise<() => void> {
  const last = new Map<string, Promise<void>>()

  return async (name, signal) => {
    const before = last.get(name)
    let release = (): void => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    const turn = Promise.all([before, held]).then(() => {
      if (last.get(name) === turn) last.delete(name)
    })
    last.set(name, turn)
    try {
      await unlessAborted(before, signal)
    } catch (error) {
      release()
      throw error
    }
    return release
  }
}

async function unlessAborted(
  waiting: Promise<void> | undefined,
  signal: AbortSignal | undefined,
): Promise<void> {
  signal?.throwIfAborted()
  if (!signal || !waiting) return waiting
  let stop = (): void => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error)
    signal.addEventListener('abort', stop)
  })
  try {
    await Promise.race([waiting, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
