import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, expect, test, vi } from 'vitest'
import { timeLimit, pause } from './time-limit.ts'

afterEach(() => void vi.useRealTimers())

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Resolves when a signal that is not referenced anywhere else is aborted. */
function stops(make: () => AbortSignal): Promise<true> {
  const other = new AbortController().signal
  return new Promise((resolve) => {
    AbortSignal.any([other, make()]).addEventListener('abort', () => resolve(true))
  })
}

test('an unreferenced limit still fires after garbage collection', async () => {
  const over = stops(() => timeLimit(50).signal)
  await new Promise((resolve) => setImmediate(resolve))
  collectGarbage()
  await expect(over).resolves.toBe(true)
})

test('an ended limit never aborts', () => {
  vi.useFakeTimers()
  const { signal, end } = timeLimit(1)
  end()
  vi.advanceTimersByTime(2)
  expect(signal.aborted).toBe(false)
})

test.each([undefined, Infinity, 2 ** 31, 2 ** 40])('a limit of %s never aborts', (time) => {
  vi.useFakeTimers()
  const { signal } = timeLimit(time)
  vi.advanceTimersByTime(2 ** 41)
  expect(signal.aborted).toBe(false)
})

test('any number of limits abort with another signal unless they were ended', () => {
  const other = new AbortController()
  const limits = Array.from({ length: 20 }, () => timeLimit(60_000, other.signal))
  limits[0]!.end()
  other.abort('enough')
  expect(limits.map(({ signal }) => signal.reason as unknown)).toEqual([
    undefined,
    ...Array.from({ length: 19 }, () => 'enough'),
  ])
  const late = timeLimit(undefined, other.signal)
  expect(late.signal.reason).toBe('enough')
  for (const { end } of limits) end()
})

test('resolves after its time, and rejects immediately when the signal is aborted', async () => {
  const stop = new AbortController()
  await pause(1, stop.signal)
  const long = pause(3_600_000, stop.signal)
  stop.abort(new Error('enough'))
  await expect(long).rejects.toThrow('enough')
  await expect(pause(3_600_000, stop.signal)).rejects.toThrow('enough')
})
