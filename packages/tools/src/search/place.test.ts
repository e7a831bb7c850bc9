import { expect, test } from 'vitest'
import { fileSystemAt } from '../../test/tree.ts'
import { pathIn, placeFrom, showableBelow, showableProblems, shownPath } from './place.ts'

test.each([
  [undefined, '/work'],
  ['', '/work'],
  ['.', '/work'],
  ['src/', '/work/src'],
  ['../x', '/x'],
  ['/etc//x/.', '/etc/x'],
  ['~', '/work'],
  ['~/x', '/work/x'],
  ['~x', '/work/~x'],
])('%s resolves to %s', (path, place) => {
  expect(placeFrom(path, fileSystemAt('/work'))).toBe(place)
})

test.each([
  ['/work/a/b', 'a/b'],
  ['/work', '.'],
  ['/work/..a', '..a'],
  ['/workshop/a', '/workshop/a'],
  ['/etc', '/etc'],
])('%s is shown as %s', (path, shown) => {
  expect(shownPath(path, { cwd: '/work' })).toBe(shown)
})

test('the root folder', () => {
  expect(pathIn('/', 'etc')).toBe('/etc')
  expect(pathIn('/', '')).toBe('/')
  expect(shownPath('/etc/x', { cwd: '/' })).toBe('etc/x')
  expect(showableBelow('/', '/', (path) => path === '/etc')('etc')).toBe(true)
})

test('a name may be shown if both its path and its real path may be', () => {
  const mayShow = (path: string): boolean => path !== '/real/a' && path !== '/link/b'
  expect(['a', 'b', 'c'].map(showableBelow('/link', '/real', mayShow))).toEqual([
    false,
    false,
    true,
  ])
})

test('removes a problem with a file that may not be shown', () => {
  const isShowable = (name: string): boolean => !name.startsWith('secret')
  const problems = ['./secret: a: Permission denied (os error 13)', 'open: no', 'only 5 names']
  expect(showableProblems(problems, isShowable)).toEqual(['open: no', 'only 5 names'])
})
