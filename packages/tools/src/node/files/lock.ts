import { unlessAborted } from '../../host/unless-aborted.ts'

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
      signal?.throwIfAborted()
      await (signal && before ? unlessAborted(signal, before) : before)
    } catch (error) {
      release()
      throw error
    }
    return release
  }
}
