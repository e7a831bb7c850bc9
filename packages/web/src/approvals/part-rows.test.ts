import type { DecisionPart } from '@toolglot/permissions'
import { expect, test } from 'vitest'
import { rowsOf } from './part-rows.ts'

const part: DecisionPart = { what: 'ls', verdict: 'ask', why: 'no rule allows it' }

test('what reads the same comes once, with all its places', () => {
  const other = { ...part, verdict: 'allow' } as const
  expect(rowsOf([part, other, { ...part }])).toEqual([
    { part, places: [0, 2] },
    { part: other, places: [1] },
  ])
})

test.each([
  { why: 'other' },
  { what: 'pwd' },
  { subject: { text: 'ls', words: ['ls'], doubts: [] } },
])('another row: %o', (change) => {
  expect(rowsOf([part, { ...part, ...change }])).toHaveLength(2)
})

test('what somebody decides on comes first, in its own order', () => {
  const of = (what: string, verdict: DecisionPart['verdict']): DecisionPart => ({
    ...part,
    what,
    verdict,
  })
  const rows = rowsOf([of('a', 'allow'), of('b', 'ask'), of('c', 'deny'), of('d', 'ask')])
  expect(rows.map(({ part: { what } }) => what)).toEqual(['c', 'b', 'd', 'a'])
  expect(rows.map(({ places }) => places)).toEqual([[2], [1], [3], [0]])
})
