import { expect, test } from 'vitest'
import { table } from './table.ts'

test('columns line up, wide characters included', () => {
  const rows = [
    ['id', 'about'],
    ['始', 'wide'],
    ['hermes', ''],
  ]
  expect(table(rows)).toBe('id      about\n始      wide\nhermes\n')
})
