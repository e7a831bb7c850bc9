import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Draft, edits, insert, moveLine, sanitizePaste } from './draft.ts'

/** A draft with its cursor at the bar. */
const at = (text: string): Draft => ({ text: text.replace('|', ''), at: text.indexOf('|') })
const shown = ({ text, at: place }: Draft): string => `${text.slice(0, place)}|${text.slice(place)}`

test.each([
  ['left', 'ab|', 'a|b'],
  ['left', '|ab', '|ab'],
  ['left', 'a👨‍👩‍👧|', 'a|👨‍👩‍👧'],
  ['left', 'ế|', '|ế'],
  ['right', '|👍🏽b', '👍🏽|b'],
  ['right', 'ab|', 'ab|'],
  ['wordLeft', 'one two  |', 'one |two  '],
  ['wordRight', 'one| two', 'one two|'],
  ['home', 'a\nbc|d', 'a\n|bcd'],
  ['end', 'a|b\nc', 'ab|\nc'],
  ['removeLeft', '中文|', '中|'],
  ['removeLeft', 'a\n|b', 'a|b'],
  ['removeRight', '|中文', '|文'],
  ['removeWord', 'one two|', 'one |'],
  ['removeToStart', 'a\nbc|d', 'a\n|d'],
  ['removeToEnd', 'a|b\nc', 'a|\nc'],
] as const)('%s: %s', (name, before, after) => {
  expect(shown(edits[name](at(before)))).toBe(after)
})

describe('lines', () => {
  test('up and down keep the column', () => {
    expect(shown(moveLine(at('abc\nde|f'), 'up')!)).toBe('ab|c\ndef')
    expect(shown(moveLine(at('abc|\nd'), 'down')!)).toBe('abc\nd|')
  })

  test('have none above the first or below the last', () => {
    expect(moveLine(at('a|\nb'), 'up')).toBeUndefined()
    expect(moveLine(at('a\nb|'), 'down')).toBeUndefined()
  })
})

test('pasted text cannot control the terminal', () => {
  expect(sanitizePaste('a\r\nb\rc\td\x1b[2J\x07\x9b')).toBe('a\nb\nc  d[2J')
})

test('edits keep the cursor inside the text, and insert the whole text', () => {
  const drafts = fc
    .string({ unit: 'grapheme' })
    .chain((text) => fc.record({ text: fc.constant(text), at: fc.nat(text.length) }))
  fc.assert(
    fc.property(drafts, fc.constantFrom(...Object.values(edits)), (draft, edit) => {
      const { text, at: place } = edit(draft)
      expect(place).toBeGreaterThanOrEqual(0)
      expect(place).toBeLessThanOrEqual(text.length)
      expect(insert(draft, 'x').text).toBe(
        `${draft.text.slice(0, draft.at)}x${draft.text.slice(draft.at)}`,
      )
    }),
  )
})
