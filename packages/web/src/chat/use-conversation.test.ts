import type { Item } from '@toolglot/react/view'
import { expect, test } from 'vitest'
import { afterInterruption } from './use-conversation.ts'
import { callPart, turnItem } from './rows/example-parts.ts'

const end: Item = { type: 'end', id: 'e', reason: 'interrupted' }

test('what was going on is not going on, and how it ended is unknown', () => {
  const { call: _, ...writing } = callPart({ id: 'w' })
  const done = callPart({
    id: 'd',
    outcome: { status: 'success', text: '', started: 1, duration: 1 },
  })
  const running = callPart({ id: 'r', started: 1 })
  const queued = callPart({ id: 'q' })
  const items = [turnItem({ parts: [done, running, queued, writing], isOpen: true }), end]
  const after = afterInterruption(items)
  expect(after[0]).toMatchObject({
    isOpen: false,
    parts: [
      done,
      { id: 'r', outcome: { status: 'unknown', mayHaveChanged: true } },
      queued,
      { id: 'w', outcome: { status: 'cut_off' } },
    ],
  })
  expect(after[1]).toBe(end)
  expect(afterInterruption(items)[0]).toBe(after[0])
})

test('what has ended stays as it is', () => {
  const items = [turnItem({ parts: [callPart({ id: 'q' })] }), end]
  expect(afterInterruption(items)).toBe(items)
  expect(afterInterruption([])).toEqual([])
})
