import type { Item } from '@toolglot/react/view'
import { expect, test } from 'vitest'
import { withoutEnd } from '../use-conversation.ts'

const end = (id: string, error: string): Item => ({ type: 'end', id, reason: 'model_error', error })
const warning = (id: string, message: string): Item => ({
  type: 'notice',
  id,
  notice: { type: 'warning', code: 'model', message },
})

test('only the last end goes, with warnings that say the same', () => {
  const before = [end('a', 'gone'), warning('b', 'slow')]
  expect(withoutEnd([...before, warning('c', 'gone'), end('d', 'gone')])).toEqual(before)
  expect(withoutEnd(before)).toBe(before)
  expect(withoutEnd([])).toEqual([])
})
