import { expect, test } from 'vitest'
import { homePath, isAbsolutePath, pathIn, shortPath } from './short-path.ts'

const home = '/home/ann'

test.each([
  ['/home/ann/code/tide', '~/code/tide'],
  ['/home/ann', '~'],
  ['/home/anna/code', '/home/anna/code'],
  ['/srv/tide', '/srv/tide'],
  ['/home/ann/code/monorepo/packages/server/src', '~/…/packages/server/src'],
  ['/var/lib/containers/storage/volumes/tide', '/var/…/storage/volumes/tide'],
  ['/srv-eins/code/a-name-that-is-too-long', '…/a-name-that-is-too-long'],
  ['/x/a-name-that-is-much-too-long-for-it', 'a-name-that-is…oo-long-for-it'],
  [String.raw`C:\Users\ann\Documents\projects\tide`, String.raw`C:\…\Documents\projects\tide`],
])('shortens %s to %s', (path, expected) => {
  const short = shortPath(path, { home })
  expect(short).toBe(expected)
  expect(short.length).toBeLessThanOrEqual(30)
})

test.each([
  ['/home/ann/code/x.json', 'x.json'],
  ['/home/ann/code2/x.json', '/home/ann/code2/x.json'],
  ['/home/ann/code', '/home/ann/code'],
])('%s from a folder is %s', (path, expected) => {
  expect(pathIn('/home/ann/code', path)).toBe(expected)
})

test('handles a folder on Windows, and no folder', () => {
  expect(pathIn(String.raw`C:\code`, String.raw`C:\code\x.json`)).toBe('x.json')
  expect(pathIn('', '/x.json')).toBe('/x.json')
})

test('keeps a long path if there is room', () => {
  const rest = '/code/monorepo/packages/server/src/deep'
  expect(homePath(home + rest, home)).toBe(`~${rest}`)
})

test('keeps a short path complete without a home folder', () => {
  expect(shortPath('/home/ann/code')).toBe('/home/ann/code')
})

test.each([
  ['/a', true],
  [String.raw`C:\a`, true],
  ['d:/a', true],
  ['a/b', false],
  ['~/a', false],
  ['', false],
])('%j is absolute: %s', (text, expected) => {
  expect(isAbsolutePath(text)).toBe(expected)
})
