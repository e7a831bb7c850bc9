import { chmodSync, mkdirSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeWorkspace, type Workspace } from '../../test/workspace.ts'
import type { FileSystemView } from '../decide/file-system.ts'
import { nodeFileSystem, type NodeFileSystemOptions } from './file-system.ts'
import { lacks } from '../../../../tests/helpers/abilities.ts'

const isRoot = await lacks('a user other than root')

let workspace: Workspace
let fileSystem: FileSystemView

beforeAll(() => {
  workspace = makeWorkspace()
  fileSystem = nodeFileSystem(workspace)
  workspace.write('a/file')
  workspace.link('one', 'two')
  workspace.link('two', 'a/file')
  workspace.link('folder', 'a')
  workspace.link('top', '/')
  workspace.link('loop', 'loop2')
  workspace.link('loop2', 'loop')
  workspace.link('gone', 'not/there')
  workspace.link('a/up', '../..')
  workspace.hardLink('twin', 'a/file')
})
afterAll(() => workspace.remove())

const follow = (path: string): readonly string[] | undefined =>
  fileSystem
    .follow(`${workspace.cwd}/${path}`)
    ?.map((name) => name.replace(`${workspace.cwd}/`, ''))

describe('following paths', () => {
  test.each<[string, string[]]>([
    ['a/file', ['a/file']],
    ['one', ['two', 'a/file', 'a/file']],
    ['folder/file', ['a/file', 'a/file']],
    ['folder/new/deep', ['a/new/deep', 'a/new/deep']],
    ['gone', ['not/there', 'not/there']],
    ['not/there/at/all', ['not/there/at/all']],
    ['not/../a/file', ['a/file']],
    ['a/file/', ['a/file']],
    ['a/file/below', ['a/file/below']],
    ['folder/../a/./file', ['a/../a/file', 'a/file']],
    ['top/etc', ['/etc', '/etc']],
  ])('%s: %j', (path, names) => {
    expect(follow(path)).toEqual(names)
  })

  test('".." after a link leads to the parent of its target', () => {
    expect(fileSystem.follow(`${workspace.cwd}/a/up/x`)?.at(-1)).toBe(
      `${workspace.cwd.slice(0, workspace.cwd.lastIndexOf('/'))}/x`,
    )
  })

  test('a loop, an invalid path and a name that is too long are unknown', () => {
    expect(follow('loop')).toBeUndefined()
    expect(follow('x\0y')).toBeUndefined()
    expect(follow('x'.repeat(5000))).toBeUndefined()
    expect(fileSystem.follow('relative')).toBeUndefined()
  })

  test.skipIf(isRoot)('a folder without read permission is unknown', () => {
    mkdirSync(`${workspace.cwd}/closed`)
    chmodSync(`${workspace.cwd}/closed`, 0)
    expect(follow('closed/x')).toBeUndefined()
    chmodSync(`${workspace.cwd}/closed`, 0o700)
  })
})

test('gives two names of one file the same identity', () => {
  const file = fileSystem.identify!(`${workspace.cwd}/a/file`)
  expect(file).toMatchObject({ isFolder: false, linkCount: 2 })
  expect(fileSystem.identify!(`${workspace.cwd}/twin`)).toEqual(file)
  expect(fileSystem.identify!(`${workspace.cwd}/one`)).toEqual(file)
  expect(fileSystem.identify!(`${workspace.cwd}/a`)).toMatchObject({ isFolder: true })
  expect(fileSystem.identify!(`${workspace.cwd}/none`)).toBeUndefined()
  expect(fileSystem.identify!('a\0b')).toBeUndefined()
})

test('the workspace defaults to the working folder', () => {
  expect(nodeFileSystem({ cwd: '/srv' })).toMatchObject({ cwd: '/srv', roots: ['/srv'] })
  expect(nodeFileSystem({ cwd: '/srv', roots: ['/a', '/b'], platform: 'darwin' })).toMatchObject({
    roots: ['/a', '/b'],
    platform: 'darwin',
  })
})

test.skipIf(await lacks('linux'))('Linux is case-sensitive', () => {
  expect(fileSystem.caseSensitive).toBe(true)
  expect(nodeFileSystem({ cwd: '/1/2', platform: 'darwin' }).caseSensitive).toBe(false)
})

test.each([
  [{ cwd: 'relative' }, 'cwd must be an absolute path, not relative.'],
  [{ cwd: '/', home: '~' }, 'home must be an absolute path, not ~.'],
  [{ cwd: '/', roots: ['/', './a'] }, 'roots must be an absolute path, not ./a.'],
  [{}, 'cwd must be an absolute path, not undefined.'],
])('a relative path throws: %j', (options, message) => {
  expect(() => nodeFileSystem(options as NodeFileSystemOptions)).toThrow(message)
})
