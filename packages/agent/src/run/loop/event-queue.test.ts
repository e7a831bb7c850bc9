import { expect, test } from 'vitest'
import { EventQueue } from './event-queue.ts'

function working(work: (queue: EventQueue<number>, abandoned: AbortSignal) => Promise<string>) {
  const queue = new EventQueue<number>()
  const abandoned = new AbortController()
  let starts = 0
  const events = queue.during({
    abandoned,
    work: () => {
      starts++
      return work(queue, abandoned.signal)
    },
    finish: (value) => ({ last: [98, 99], result: value }),
  })
  return { events, abandoned, starts: () => starts }
}

const soon = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

test('yields the events in order, the last ones, and the result', async () => {
  const { events, abandoned } = working(async (queue) => {
    queue.add(1)
    await soon()
    queue.add(2)
    queue.add(3)
    return 'done'
  })
  const seen: number[] = []
  let next = await events.next()
  for (; !next.done; next = await events.next()) seen.push(next.value)
  expect(seen).toEqual([1, 2, 3, 98, 99])
  expect(next.value).toBe('done')
  expect(abandoned.signal.aborted).toBe(true)
  expect(await events.next()).toEqual({ done: true, value: undefined })
})

test('gives each event to one of several readers', async () => {
  const { events } = working(async (queue) => {
    await soon()
    queue.add(1)
    await soon()
    return 'done'
  })
  const all = await Promise.all(Array.from({ length: 5 }, () => events.next()))
  expect(all.map(({ value }) => value)).toEqual([1, 98, 99, 'done', undefined])
})

test('yields the events before an error', async () => {
  const { events } = working(async (queue) => {
    queue.add(1)
    throw new Error('No.')
  })
  expect(await events.next()).toEqual({ done: false, value: 1 })
  await expect(events.next()).rejects.toThrow('No.')
  expect(await events.next()).toEqual({ done: true, value: undefined })
})

test('does not start work before the first read', async () => {
  const { events, starts } = working(async () => 'done')
  expect(await events.return('never')).toEqual({ done: true, value: 'never' })
  expect(await events.next()).toEqual({ done: true, value: undefined })
  expect(starts()).toBe(0)
})

test('a consumer that stops reading waits until the work has ended', async () => {
  let hasEnded = false
  const { events } = working(async (queue, signal) => {
    queue.add(1)
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    await soon()
    queue.add(2)
    hasEnded = true
    return 'late'
  })
  await events.next()
  await expect(events.throw(new Error('Stop.'))).rejects.toThrow('Stop.')
  expect(hasEnded).toBe(true)
  expect(await events.next()).toEqual({ done: true, value: undefined })
})

test('producers wait while much is unread', async () => {
  let added = 0
  const { events } = working(async (queue) => {
    for (; added < 5000; added++) {
      await queue.whenRead()
      queue.add(added)
    }
    return 'done'
  })
  const seen: number[] = []
  for await (const event of events) {
    seen.push(event)
    if (event % 1000 === 0) await soon()
    expect(added - seen.length).toBeLessThan(600)
  }
  expect(seen.slice(0, -2)).toEqual(Array.from({ length: 5000 }, (_, at) => at))
})
