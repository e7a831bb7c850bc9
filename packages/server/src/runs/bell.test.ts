import { setImmediate as settled } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createBell } from './bell.ts'

/** Whether somebody who waits for it still does. */
async function waits(rung: Promise<void>): Promise<boolean> {
  let isOver = false
  void rung.then(() => (isOver = true))
  await settled()
  return !isOver
}

test('one waits until it rings', async () => {
  const bell = createBell()
  const rung = bell.rung()
  expect(await waits(rung)).toBe(true)
  bell.ring()
  expect(await waits(rung)).toBe(false)
  expect(await waits(bell.rung())).toBe(true)
})

test('however often it rang while nobody waited, the next one need not wait, and the one after must', async () => {
  const bell = createBell()
  bell.ring()
  bell.ring()
  expect(await waits(bell.rung())).toBe(false)
  expect(await waits(bell.rung())).toBe(true)
})
