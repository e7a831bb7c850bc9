import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderOf } from '../../../tests/helpers/folder.ts'
import { findInstructions } from './prepare-run.ts'

test("the person's, then the project's from its root down to the folder", () => {
  const home = folderOf({
    'config/instructions.md': 'mine',
    'AGENTS.md': 'outside',
    'repo/.git/HEAD': '',
    'repo/AGENTS.md': 'root',
    'repo/CLAUDE.md': 'another name for it',
    'repo/a/CLAUDE.md': '\ufeffa',
    'repo/a/.toolglot/instructions.md': 'own',
    'repo/a/b/x': '',
  })
  const found = findInstructions(join(home, 'repo/a/b'), {
    directories: { config: join(home, 'config') },
  })
  expect(found.files.map(({ scope, text }) => `${scope} ${text}`)).toEqual([
    ...['user mine', 'project root', 'project a', 'project own'],
  ])
  expect(found.problems).toEqual([])
})

test('without a repository only the folder itself', () => {
  const folder = folderOf({ 'AGENTS.md': 'above', 'a/AGENTS.md': 'here' })
  const { files } = findInstructions(join(folder, 'a'), { directories: { config: '/nowhere' } })
  expect(files.map(({ text }) => text)).toEqual(['here'])
})

test('what is not what it should be is a problem', () => {
  const elsewhere = folderOf({ secret: 'secret' })
  const folder = folderOf({
    'a/AGENTS.md': new Uint8Array([0xff, 0xfe, 0xfd]),
    'b/AGENTS.md': 'x'.repeat((256 << 10) + 1),
    'c/AGENTS.md/x': '',
    'd/x': '',
  })
  symlinkSync(join(elsewhere, 'secret'), join(folder, 'd/AGENTS.md'))
  const problems = ['a', 'b', 'c', 'd'].flatMap((name) => {
    const found = findInstructions(join(folder, name), { directories: { config: '/nowhere' } })
    expect(found.files).toEqual([])
    return found.problems.map((problem) => problem.slice(folder.length))
  })
  expect(problems).toEqual([
    '/a/AGENTS.md: it is not UTF-8.',
    '/b/AGENTS.md: it is larger than 262144 bytes.',
    '/c/AGENTS.md: it is not a regular file.',
    '/d/AGENTS.md: it is a link out of the project.',
  ])
})
