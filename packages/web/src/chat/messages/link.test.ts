import { expect, test } from 'vitest'
import { saysHost } from './link.tsx'

test.each<[string, string, boolean]>([
  ['https://a.example/path', 'https://a.example/path', true],
  ['www.a.example', 'http://www.a.example', true],
  ['A.Example/x', 'https://a.example/y', true],
  ['a.example:8080', 'https://a.example:8080/', true],
  ['www.github.com', 'https://b.com', false],
  ['www.github.com', 'https://hub.com', false],
  ['https://github.com.b.com', 'https://github.com', false],
  ['https://github.com@b.com', 'https://github.com@b.com', false],
  ['b.com@github.com', 'https://b.com', false],
  ['see b.com', 'https://b.com', false],
  ['a.example', 'https://a.example:8080/', false],
  ['https://github.com\u2044login.b.com', 'https://xn--github-dp3c.b.com', false],
])('%s leads to %s', (text, url, isSaid) => {
  expect(saysHost(text, new URL(url))).toBe(isSaid)
})
