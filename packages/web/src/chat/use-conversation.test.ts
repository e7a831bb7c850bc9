import type { Item } from '@toolglot/react/view'
import { expect, test } from 'vitest'
import { afterInterruption, withoutEnd } from './use-conversation.ts'
import { callPart, turnItem } from './rows/example-parts.ts'

const end: Item = { type: 'end', id: 'e', reason: 'interrupted' }

test('ends unfinished items with an unknown outcome', () => {
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

test('keeps finished items unchanged', () => {
  const items = [turnItem({ parts: [callPart({ id: 'q' })] }), end]
  expect(afterInterruption(items)).toBe(items)
  expect(afterInterruption([])).toEqual([])
})

const ended = (id: string, error: string): Item => ({
  type: 'end',
  id,
  reason: 'model_error',
  error,
})
const warning = (id: string, message: string): Item => ({
  type: 'notice',
  id,
  notice: { type: 'warning', code: 'model', message },
})

test('removes only the last end, with warnings that repeat it', () => {
  const before = [ended('a', 'gone'), warning('b', 'slow')]
  expect(withoutEnd([...before, warning('c', 'gone'), ended('d', 'gone')])).toEqual(before)
  expect(withoutEnd(before)).toBe(before)
  expect(withoutEnd([])).toEqual([])
})
