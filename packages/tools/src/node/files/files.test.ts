import { expect, test } from 'vitest'
import { createLocks } from './files.ts'

test('allows one holder at a time per name, in order, without delaying other names', async () => {
  const lock = createLocks()
  const order: number[] = []
  const release = await lock('a')
  const waiting = [1, 2, 3].map(async (each) => {
    const done = await lock('a')
    order.push(each)
    done()
  })
  ;(await lock('b'))()
  expect(order).toEqual([])
  release()
  await Promise.all(waiting)
  expect(order).toEqual([1, 2, 3])
})

test('aborting leaves the queue and blocks no other caller', async () => {
  const lock = createLocks()
  const controller = new AbortController()
  const release = await lock('a')
  const stopped = lock('a', controller.signal)
  const next = lock('a')
  controller.abort(new Error('stopped'))
  await expect(stopped).rejects.toThrow('stopped')
  release()
  ;(await next)()
  ;(await lock('a'))()
})
