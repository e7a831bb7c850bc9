import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { withTable } from './docs.mjs'

test('README.md lists the protocols as they are (npm run docs)', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  expect(withTable(readme)).toBe(readme)
})
