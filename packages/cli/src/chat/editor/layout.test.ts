import fc from 'fast-check'
import { expect, test } from 'vitest'
import { displayWidth } from '../../show/text/table.ts'
import { layOut } from './layout.ts'

const narrow = { indent: 2, columns: 9, height: 10 }

test.each([
  ['abc', 3, { rows: ['abc'], row: 0, column: 5 }],
  ['abc', 0, { rows: ['abc'], row: 0, column: 2 }],
  ['abcdefgh', 8, { rows: ['abcdef', 'gh'], row: 1, column: 4 }],
  ['中文中文', 4, { rows: ['中文中', '文'], row: 1, column: 4 }],
  ['a中文中', 3, { rows: ['a中文', '中'], row: 1, column: 2 }],
  ['a\n\nb', 2, { rows: ['a', '', 'b'], row: 1, column: 2 }],
  ['a\n', 2, { rows: ['a', ''], row: 1, column: 2 }],
])('%j at %i', (text, at, expected) => {
  expect(layOut({ text, at }, narrow)).toEqual(expected)
})

test('shows the rows around the cursor if there are too many', () => {
  const text = Array.from({ length: 50 }, (_, at) => `${at}`).join('\n')
  expect(layOut({ text, at: text.length }, { ...narrow, height: 3 })).toMatchObject({
    rows: ['47', '48', '49'],
    row: 2,
  })
  expect(layOut({ text, at: 0 }, { ...narrow, height: 3 })).toMatchObject({
    rows: ['0', '1', '2'],
    row: 0,
  })
})

test('makes no row too wide and drops no characters', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.integer({ min: 5, max: 40 }),
      (raw, columns) => {
        const text = raw.replaceAll(/\p{Cc}/gu, '')
        const { rows } = layOut({ text, at: 0 }, { indent: 2, columns, height: 1000 })
        expect(rows.join('')).toBe(text)
        for (const row of rows) expect(displayWidth(row)).toBeLessThanOrEqual(columns - 3)
      },
    ),
  )
})
