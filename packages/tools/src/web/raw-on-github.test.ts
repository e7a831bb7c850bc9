import { expect, test } from 'vitest'
import { rawOnGithub } from '../tools/web-fetch.ts'

const raw = 'https://raw.githubusercontent.com/o/r/main/a%20b/c.ts'

test.each([
  ['https://github.com/o/r/blob/main/a%20b/c.ts', raw],
  ['https://github.com/o/r/blob/main/a%20b/c.ts?plain=1', raw],
  ['https://github.com/o/r/tree/main/a', undefined],
  ['https://github.com/o/r/blob/main', undefined],
  ['https://github.com/o/r/blob//x', undefined],
  ['https://www.github.com/o/r/blob/main/a', undefined],
  ['https://github.com:8443/o/r/blob/main/a', undefined],
  ['http://github.com/o/r/blob/main/a', undefined],
  ['https://github.com.other.test/o/r/blob/main/a', undefined],
  ['https://other.test/github.com/o/r/blob/main/a', undefined],
])('%s: %s', (url, expected) => {
  expect(rawOnGithub(new URL(url))?.href).toBe(expected)
})
