import { unlessAborted } from '../../host/unless-aborted.ts'

/** Creates a lock per name: one holder at a time, in order of arrival. */
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
