import { expect, test } from 'vitest'
import { table } from './table.ts'

test('aligns columns, including wide characters', () => {
  const rows = [
    ['id', 'about'],
    ['始', 'wide'],
    ['hermes', ''],
  ]
  expect(table(rows)).toBe('id      about\n始      wide\nhermes\n')
})

test('wraps the last column if it does not fit', () => {
  const rows = [
    ['/model', 'list all the models; or switch to another'],
    ['/exit', 'leave'],
  ]
  const about = 'list all the models; or\n        switch to another'
  expect(table(rows, (cell) => cell, 32)).toBe(`/model  ${about}\n/exit   leave\n`)
  expect(table(rows, (cell) => cell, 20)).toContain('list all the models; or switch to another\n')
})
