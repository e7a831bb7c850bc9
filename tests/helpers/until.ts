import { vi } from 'vitest'

/**
 * Reads a value repeatedly until it is as expected. Fails shortly before the test would time out.
 */
export function until<Value>(
  read: () => Value | Promise<Value>,
  isRight: (value: Value) => unknown = Boolean,
): Promise<Value> {
  const look = async (): Promise<Value> => {
    const value = await read()
    if (isRight(value)) return value
    throw new Error(`It did not happen in time. This is how it is: ${JSON.stringify(value)}`)
  }
  return vi.waitFor(look, { timeout: 50_000, interval: 10 })
}

/** Lets all work finish that needs no time. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
}
