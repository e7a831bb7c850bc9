/**
 * Lets one after another speak to a person. What is asked about must have been shown first, and nothing is shown while
 * they think: whoever shows events says which were `seen`, and waits until it is `quiet`.
 */
export interface PromptQueue {
  seen(key: unknown): void
  quiet(): Promise<void>
  /** Does something once `key` was seen and nobody else speaks. */
  after<Value>(key: unknown, work: () => Promise<Value>): Promise<Value>
}

export function createPromptQueue(): PromptQueue {
  const shown = new Map<unknown, { promise: Promise<void>; resolve: () => void }>()
  let speaking: Promise<unknown> = Promise.resolve()
  const gateOf = (key: unknown): { promise: Promise<void>; resolve: () => void } => {
    let gate = shown.get(key)
    if (!gate) {
      let resolve!: () => void
      const promise = new Promise<void>((done) => (resolve = done))
      shown.set(key, (gate = { promise, resolve }))
    }
    return gate
  }
  return {
    seen: (key) => gateOf(key).resolve(),
    quiet: async () => void (await speaking),
    async after(key, work) {
      await gateOf(key).promise
      shown.delete(key)
      const before = speaking
      let done!: () => void
      // From now on others wait.
      speaking = new Promise<void>((resolve) => (done = resolve))
      try {
        await before
        return await work()
      } finally {
        done()
      }
    },
  }
}
