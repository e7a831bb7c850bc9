import type { RunEvent } from '@toolglot/agent'
import { expect, test } from 'vitest'
import { createFeed, type Feed, createBell } from './feed.ts'
import { setImmediate as settled } from 'node:timers/promises'

function text(delta: string, seq: number): RunEvent {
  return { type: 'text', delta, at: 0, run: 'r', seq, time: 1, transient: true }
}

const note: RunEvent = {
  type: 'tool-progress',
  call: 'c',
  update: { type: 'note', text: 'a line' },
  run: 'r',
  seq: 1,
  time: 1,
  transient: true,
}

function shown(feed: Feed, seq: number, number = -1): unknown[] {
  return feed
    .after(seq, number)
    .map(({ event, number: own }) => [own, 'delta' in event && event.delta])
}

test('numbers previews after their recorded event, and keeps them until the next recorded event', () => {
  const feed = createFeed()
  feed.add(text('a', 0))
  feed.add(text('b', 0))
  expect(shown(feed, 0)).toEqual([
    [0, 'a'],
    [1, 'b'],
  ])
  expect(shown(feed, 0, 0)).toEqual([[1, 'b']])
  expect(shown(feed, 0, 1)).toEqual([])
  expect(shown(feed, 0, 99)).toEqual([])
  expect(shown(feed, 1)).toEqual([])
  feed.add(text('c', 1))
  expect(shown(feed, 0)).toEqual([])
  expect(shown(feed, 1)).toEqual([[0, 'c']])
})

test('does not keep a recorded event, which is in the journal', () => {
  const feed = createFeed()
  feed.add(text('a', 0))
  const { transient: _, ...recorded } = text('b', 1)
  feed.add(recorded)
  expect(shown(feed, 1)).toEqual([])
  expect(shown(feed, 0)).toEqual([[0, 'a']])
})

test('keeps the last previews, about 1 MiB, with their numbers', () => {
  const feed = createFeed()
  const delta = 'x'.repeat(1000)
  for (let count = 0; count < 5000; count += 1) feed.add(text(delta, 0))
  const kept = feed.after(0, -1)
  const first = kept[0]!.number
  expect(kept.map(({ number }) => number)).toEqual(kept.map((_, index) => first + index))
  expect(kept.at(-1)!.number).toBe(4999)
  expect(kept.length).toBeGreaterThan(400)
  expect(kept.length).toBeLessThan(1000)
  // A reader whose last event has been dropped gets the rest.
  expect(feed.after(0, 10)).toEqual(kept)
  expect(feed.after(0, first)).toEqual(kept.slice(1))
  expect(feed.emitted).toBeGreaterThan(5_000_000)
})

test('reports each event to listeners, and counts it', () => {
  const feed = createFeed()
  let rings = 0
  const stop = feed.onAdd(() => (rings += 1))
  const sizes = [feed.emitted]
  for (const event of [text('a', 0), note, text('b', 2)]) {
    feed.add(event)
    sizes.push(feed.emitted)
  }
  expect(rings).toBe(3)
  expect(sizes).toEqual([...sizes].sort((one, other) => one - other))
  expect(new Set(sizes).size).toBe(4)
  stop()
  feed.add(text('c', 2))
  expect(rings).toBe(3)
})

test('gives executions different names', () => {
  expect(createFeed().epoch).toMatch(/^[0-9a-f]{8}$/)
  expect(createFeed().epoch).not.toBe(createFeed().epoch)
})

/** True if a waiting promise is still pending. */
async function waits(rung: Promise<void>): Promise<boolean> {
  let isOver = false
  void rung.then(() => (isOver = true))
  await settled()
  return !isOver
}

test('waits until it rings', async () => {
  const bell = createBell()
  const rung = bell.rung()
  expect(await waits(rung)).toBe(true)
  bell.ring()
  expect(await waits(rung)).toBe(false)
  expect(await waits(bell.rung())).toBe(true)
})

test('skips one wait after any number of rings without a waiter', async () => {
  const bell = createBell()
  bell.ring()
  bell.ring()
  expect(await waits(bell.rung())).toBe(false)
  expect(await waits(bell.rung())).toBe(true)
})
