import { expect, test } from 'vitest'
import { en, type Translate } from '../words/words.ts'
import { reasonSentence, rowsOf } from './reasons.ts'
import type { DecisionPart } from '@toolglot/permissions'

const t: Translate = (key, values = {}) =>
  en[key].replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]))

test.each([
  ['no rule allows it; the rule Bash(ls) would', 'No rule allows this.'],
  ['-d sends data; only an exact rule such as Bash(curl -d x) would allow it', '-d sends data.'],
  ['no rule allows go.dev', 'No rule allows go.dev.'],
  ['contains the invisible character U+200B', 'Contains an invisible character: U+200B.'],
  ['can make git run code', 'Can make git run code.'],
  ['`status` is not a known git command', '`status` is not a known git command.'],
  ['cannot be parsed: expected a word?', 'Cannot be parsed: expected a word?'],
  ['', ''],
])('%s', (why, sentence) => {
  expect(reasonSentence(why, t)).toBe(sentence)
})

const part: DecisionPart = { what: 'ls', verdict: 'ask', why: 'no rule allows it' }

test('merges identical rows, with all their places', () => {
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
])('keeps a different row: %o', (change) => {
  expect(rowsOf([part, { ...part, ...change }])).toHaveLength(2)
})

test('parts that need a decision come first, in their own order', () => {
  const of = (what: string, verdict: DecisionPart['verdict']): DecisionPart => ({
    ...part,
    what,
    verdict,
  })
  const rows = rowsOf([of('a', 'allow'), of('b', 'ask'), of('c', 'deny'), of('d', 'ask')])
  expect(rows.map(({ part: { what } }) => what)).toEqual(['c', 'b', 'd', 'a'])
  expect(rows.map(({ places }) => places)).toEqual([[2], [1], [3], [0]])
})
