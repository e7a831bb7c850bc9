import { expect, test } from 'vitest'
import { worldAt } from '../../fixtures/tree.ts'
import { allowedBelow, pathIn, placeFrom, shownPath } from './place.ts'

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
])('%s means %s', (path, place) => {
  expect(placeFrom(path, worldAt('/work'))).toBe(place)
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

test('the folder of all folders', () => {
  expect(pathIn('/', 'etc')).toBe('/etc')
  expect(pathIn('/', '')).toBe('/')
  expect(shownPath('/etc/x', { cwd: '/' })).toBe('etc/x')
  expect(allowedBelow('/', '/', (path) => path === '/etc')('etc')).toBe(true)
})

test('a name must be allowed where it is and where it really is', () => {
  const allowed = allowedBelow('/link', '/real', (path) => path !== '/real/a' && path !== '/link/b')
  expect(['a', 'b', 'c'].map(allowed)).toEqual([false, false, true])
})
