import { expect, test } from 'vitest'
import { reconnecting } from './reconnect.ts'

/** A stream that never sends anything. */
function silentStream(signal: AbortSignal, isTurnTaken: boolean) {
  const seen = { connected: 0, open: 0, ended: 0 }
  const turn = new AbortController()
  const events = reconnecting<string>({
    connect: async (connection) => {
      seen.connected++
      seen.open++
      connection.addEventListener('abort', () => seen.open--)
      await new Promise((_, reject) => connection.addEventListener('abort', reject))
      throw new Error('It was aborted.')
    },
    read: () => undefined,
    turn: isTurnTaken
      ? async () => ({ signal: turn.signal, end: () => void seen.ended++ })
      : undefined,
    signal,
  })
  return { events, seen }
}

test.each([false, true])('ends if it is aborted immediately (turns: %s)', async (isTurnTaken) => {
  const controller = new AbortController()
  const { events, seen } = silentStream(controller.signal, isTurnTaken)
  const next = events.next()
  controller.abort(new Error('Enough.'))
  await expect(next).rejects.toThrow('Enough.')
  expect(seen.open).toBe(0)
  expect(seen.ended).toBe(isTurnTaken ? 1 : 0)
})
