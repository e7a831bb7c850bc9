import { expect, test } from 'vitest'
import { isSameHost, rawOnGithub, readPageAddress } from './page-address.ts'

test.each([
  ['http://github.com/x', 'https://github.com/x'],
  ['HTTP://GitHub.com./x#part', 'https://github.com/x'],
  ['http://93.184.216.34/', 'https://93.184.216.34/'],
  ['http://example.org:8080/', 'http://example.org:8080/'],
  ['http://example.org:80/', 'http://example.org/'],
  ['http://example.org/a:80/', 'https://example.org/a:80/'],
  ['http://localhost/', 'http://localhost/'],
  ['http://127.0.0.1/', 'http://127.0.0.1/'],
  ['http://[::1]/', 'http://[::1]/'],
  ['http://10.0.0.1/', 'http://10.0.0.1/'],
  ['http://printer.local/', 'http://printer.local/'],
  ['https://example.org', 'https://example.org/'],
])('%s is requested as %s', (text, url) => {
  expect(readPageAddress(text).href).toBe(url)
})

test.each(['', 'example.org', 'ftp://a.test/', 'https://u@a.test/', 'https://a.test\\@b.test/'])(
  '%s is rejected',
  (text) => {
    expect(() => readPageAddress(text)).toThrow('Use a URL such as https://example.org/page.')
  },
)

test.each([
  ['https://a.test/', 'https://a.test/x', true],
  ['http://a.test/', 'https://a.test/', true],
  ['https://a.test/', 'https://www.a.test/', false],
  ['https://a.test/', 'https://a.test:8443/', false],
  ['https://a.test/', 'https://a.test.b.test/', false],
])('%s and %s: %s', (one, other, same) => {
  expect(isSameHost(new URL(one), new URL(other))).toBe(same)
})

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
