import { mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderOf } from '../../../../tests/helpers/folder.ts'
import { makeFolder } from './state-folder.ts'
import { lacks } from '../../../../tests/helpers/abilities.ts'

test('creates missing parents for their owner only, and leaves existing folders unchanged', () => {
  const root = folderOf()
  mkdirSync(join(root, 'open'), { mode: 0o755 })
  for (const _ of ['first', 'again']) makeFolder(join(root, 'open/a/b/c'))
  const modes = ['open', 'open/a', 'open/a/b/c'].map(
    (name) => statSync(join(root, name)).mode & 0o777,
  )
  expect(modes).toEqual([0o755, 0o700, 0o700])
})

test('a link to a folder counts as a folder', () => {
  const root = folderOf()
  mkdirSync(join(root, 'real'))
  symlinkSync('real', join(root, 'link'))
  makeFolder(join(root, 'link'))
  makeFolder(join(root, 'link/a/b'))
  expect(statSync(join(root, 'real/a/b')).isDirectory()).toBe(true)
})

test.each([
  ['file', 'EEXIST'],
  ['file/a/b', 'ENOTDIR'],
  ['nowhere', 'EEXIST'],
  ['nowhere/a/b', 'EEXIST'],
])('%s is rejected with %s', (name, code) => {
  const root = folderOf()
  writeFileSync(join(root, 'file'), '')
  symlinkSync('missing/folder', join(root, 'nowhere'))
  expect(() => makeFolder(join(root, name))).toThrow(expect.objectContaining({ code }))
})

test.skipIf(await lacks('linux'))('fails instead of hanging where no folder can be created', () => {
  expect(() => makeFolder('/proc/a/b/c')).toThrow(expect.objectContaining({ code: 'ENOENT' }))
})
