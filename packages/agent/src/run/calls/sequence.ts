/** Starts work in order: each piece when the one before it calls `ready`, or ends. Then they go on at the same time. */
type Sequence = <Value>(work: (ready: () => void) => Promise<Value>) => Promise<Value>

/** Creates a sequence in which nothing was started yet. */
export function createSequence(): Sequence {
  let last: Promise<void> | undefined
  return async (work) => {
    const before = last
    let ready = (): void => {}
    last = new Promise((resolve) => (ready = resolve))
    try {
      await before
      return await work(ready)
    } finally {
      ready()
    }
  }
}
