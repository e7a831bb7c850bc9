import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { STATUSES } from './http-error.ts'

const folder = new URL('..', import.meta.url).pathname
/** The source code except for the table of errors. */
const source = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter(
    (file) =>
      file.endsWith('.ts') && !file.endsWith('.test.ts') && file !== 'security/http-error.ts',
  )
  .map((file) => readFileSync(folder + file, 'utf8'))
  .join('\n')

test('every code is used', () => {
  expect(Object.keys(STATUSES).filter((code) => !source.includes(`'${code}'`))).toEqual([])
})

test('the codes in the documentation exist and have the documented statuses', () => {
  const docs = readFileSync(new URL('../../../../docs/gateway.md', import.meta.url), 'utf8')
  const [, section = ''] = docs.split('\n## Errors\n')
  const rows = section.split('\n## ')[0]!.matchAll(/^\| (`[^|]*) \|/gm)
  const found = [...rows].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`(\w+)`(?: \((\d+)\))?/g)].map(([, code = '', status]) => ({
      code,
      status,
    })),
  )
  expect(found.length).toBeGreaterThan(5)
  for (const { code, status } of found) {
    expect(source).toContain(`'${code}'`)
    const own = new Map<string, number>(Object.entries(STATUSES)).get(code)
    if (own !== undefined && status !== undefined)
      expect([code, status]).toEqual([code, String(own)])
  }
})
