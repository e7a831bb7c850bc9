import { expect, test } from 'vitest'
import { pause } from './time-limit.ts'

test('resolves after its time, and rejects at once when the signal aborts', async () => {
  const stop = new AbortController()
  await pause(1, stop.signal)
  const long = pause(3_600_000, stop.signal)
  stop.abort(new Error('enough'))
  await expect(long).rejects.toThrow('enough')
  await expect(pause(3_600_000, stop.signal)).rejects.toThrow('enough')
})
