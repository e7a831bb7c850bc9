import { execFileSync } from 'node:child_process'
import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folderOf } from '../../../../tests/helpers/folder.ts'
import { findSettings, readSettingsFile } from './find-settings.ts'
import { userDirectories, type UserDirectories } from '../user-directories.ts'

const allow = (rule: string): object => ({ permissions: { allow: [rule] } })

function directories(home = folderOf()): UserDirectories {
  return { ...userDirectories({ HOME: home }), managed: join(home, 'etc') }
}

/** The rules found, as `scope rule`. */
function found(folder: string, options = { directories: directories() }): string[] {
  return findSettings(folder, options).flatMap(({ scope, rules, problems }) => [
    ...rules.map(({ text }) => `${scope} ${text}`),
    ...problems.map(({ reason }) => `${scope} problem: ${reason}`),
  ])
}

test('the places of settings', () => {
  expect(userDirectories({ HOME: '/home/u' }, 'linux')).toEqual({
    home: '/home/u',
    config: '/home/u/.config/toolglot',
    state: '/home/u/.local/state/toolglot',
    managed: '/etc/toolglot',
  })
  expect(userDirectories({ HOME: '/Users/u', XDG_CONFIG_HOME: '/c' }, 'darwin')).toEqual({
    home: '/Users/u',
    config: '/c/toolglot',
    state: '/Users/u/.local/state/toolglot',
    managed: '/Library/Application Support/toolglot',
  })
  expect(userDirectories({ HOME: '/home/u', XDG_CONFIG_HOME: 'here' }, 'linux').config).toBe(
    '/home/u/.config/toolglot',
  )
})

test('include every scope, from the folder up to the root of its repository', () => {
  const home = folderOf({
    'etc/settings.json': allow('Managed'),
    '.config/toolglot/settings.json': allow('User'),
    '.toolglot/settings.json': allow('Outside'),
    'repo/.git/HEAD': '',
    'repo/.toolglot/settings.json': allow('Root'),
    'repo/.toolglot/settings.local.json': allow('Local'),
    'repo/a/.toolglot/settings.json': allow('A'),
    'repo/a/b/file': '',
  })
  const files = findSettings(join(home, 'repo/a/b'), { directories: directories(home) })
  expect(files.map(({ scope, rules }) => [scope, rules[0]?.text, rules[0]?.source.root])).toEqual([
    ['managed', 'Managed', '/'],
    ['user', 'User', home],
    ['project', 'A', join(home, 'repo/a')],
    ['local', 'Local', join(home, 'repo')],
    ['project', 'Root', join(home, 'repo')],
  ])
})

test('include only the folder itself if there is no repository', () => {
  const folder = folderOf({ '.toolglot/settings.json': allow('Above'), 'a/file': '' })
  expect(found(join(folder, 'a'))).toEqual([])
  expect(found(folder)).toEqual(['project Above'])
})

test("include Claude Code's settings only if requested", () => {
  const home = folderOf({
    '.claude/settings.json': { model: 'x', ...allow('Mine') },
    'repo/.claude/settings.json': allow('Theirs'),
    'repo/.claude/settings.local.json': allow('Local'),
  })
  const repo = join(home, 'repo')
  expect(found(repo, { directories: directories(home) })).toEqual([])
  const asked = { directories: directories(home), importClaude: true }
  expect(found(repo, asked)).toEqual(['user Mine', 'local Local', 'project Theirs'])
  expect(found(home, asked)).toEqual(['user Mine'])
})

describe('a path that is not a valid file is a problem', () => {
  test('if it is a link that leads outside of the folder', () => {
    const elsewhere = folderOf({ 'settings.json': allow('Elsewhere') })
    const folder = folderOf({ 'inside/settings.json': allow('Inside') })
    symlinkSync(elsewhere, join(folder, '.toolglot'))
    expect(found(folder)).toEqual(['project problem: it is a link out of the folder'])

    const other = folderOf({ '.toolglot/x': '', 'inside.json': allow('Inside') })
    symlinkSync('../inside.json', join(other, '.toolglot/settings.json'))
    expect(found(other)).toEqual(['project Inside'])
  })

  test("except that the user's own file may be a link", () => {
    const dotfiles = folderOf({ 'settings.json': allow('Mine') })
    const home = folderOf({ '.config/toolglot/x': '' })
    symlinkSync(join(dotfiles, 'settings.json'), join(home, '.config/toolglot/settings.json'))
    expect(found(folderOf(), { directories: directories(home) })).toEqual(['user Mine'])
  })

  test('if it is a link to nowhere or to itself', () => {
    const folder = folderOf({ '.toolglot/x': '' })
    symlinkSync('nowhere', join(folder, '.toolglot/settings.json'))
    symlinkSync('settings.local.json', join(folder, '.toolglot/settings.local.json'))
    expect(found(folder)).toEqual([
      'local problem: it cannot be read (ELOOP)',
      'project problem: it cannot be read (ENOENT)',
    ])
  })

  test('if it is a folder, a pipe or a device', () => {
    const folder = folderOf({ '.toolglot/settings.json/x': '' })
    execFileSync('sh', ['-c', 'mkfifo "$0"', join(folder, '.toolglot/settings.local.json')])
    const reason = 'problem: it is not a regular file'
    expect(found(folder)).toEqual([`local ${reason}`, `project ${reason}`])
  })

  test('if it is too large or not UTF-8', () => {
    const folder = folderOf({
      '.toolglot/settings.json': `{"a": "${'x'.repeat(1 << 20)}"}`,
      '.toolglot/settings.local.json': Buffer.from('{"a": 1}', 'utf16le').fill(0xff, 0, 1),
    })
    expect(found(folder)).toEqual([
      'local problem: it is not UTF-8',
      'project problem: it is larger than 1048576 bytes',
    ])
  })

  test('if it is YAML where only JSON is accepted', () => {
    const folder = folderOf({ '.toolglot/settings.yaml': 'permissions:\n  deny: [Read]' })
    expect(found(folder)).toEqual(['project problem: YAML is not read here: write it as JSON'])
  })

  test('treats a file in place of the folder as missing', () => {
    expect(found(folderOf({ '.toolglot': 'x' }))).toEqual([])
  })
})

describe('local settings that came with the repository belong to the project', () => {
  /**
   * An index written by Git, for a repository with some files and an ignored
   * `.toolglot/settings.local.json`.
   */
  const index = (name: string): Uint8Array =>
    readFileSync(new URL(`../../test/fixtures/git-index/${name}.index`, import.meta.url))
  const local = { '.toolglot/settings.local.json': allow('Local') }

  test('but not if no file was ever added', () => {
    expect(found(folderOf({ ...local, '.git/HEAD': '' }))).toEqual(['local Local'])
  })

  test.each(['2', '3', '4'])('index of version %s', (version) => {
    const [ignored, added] = ['untracked', 'tracked'].map((state) =>
      folderOf({ ...local, '.git/index': index(`${state}-${version}`) }),
    )
    expect(found(ignored!)).toEqual(['local Local'])
    expect(found(added!)).toEqual(['project Local'])
  })

  test('regardless of the case of their name', () => {
    expect(found(folderOf({ ...local, '.git/index': index('case') }))).toEqual(['project Local'])
  })

  test('even through a link that came with them', () => {
    const folder = folderOf({
      'x/settings.local.json': allow('Local'),
      '.git/index': index('link'),
    })
    symlinkSync('x', join(folder, '.toolglot'))
    expect(found(folder)).toEqual(['project Local'])
  })

  test.each<[state: string, scope: string]>([
    ['tracked', 'project'],
    ['untracked', 'local'],
  ])('in another worktree (%s)', (state, scope) => {
    const folder = folderOf({
      'git/worktrees/ws/index': index(`${state}-2`),
      'ws/.git': 'gitdir: ../git/worktrees/ws\n',
      'ws/.toolglot/settings.local.json': allow('Local'),
    })
    expect(found(join(folder, 'ws'))).toEqual([`${scope} Local`])
  })

  test.each<[name: string, bytes: string | Uint8Array]>([
    ['split', index('split')],
    ['of longer hashes', index('tracked-sha256')],
    ['empty', ''],
    ['cut', index('untracked-2').subarray(0, 300)],
    ['of the future', changed(index('untracked-2'), 7)],
    ['with too many entries', changed(index('untracked-2'), 8)],
    ['something else', 'x'.repeat(100)],
  ])('or if the index has an unknown format (%s)', (_, bytes) => {
    expect(found(folderOf({ ...local, '.git/index': bytes }))).toEqual(['project Local'])
  })

  test('or if the repository is in an unknown place', () => {
    for (const pointer of ['', 'gitdir: /nowhere', 'x'.repeat(5000)])
      expect(found(folderOf({ ...local, '.git': pointer }))).toEqual(['project Local'])
  })
})

test('reads a file selected by the user, in any format', async () => {
  const folder = folderOf({ 'rules.yaml': 'permissions:\n  allow:\n    - "Bash(git:*)"\n' })
  expect(await readSettingsFile(join(folder, 'rules.yaml'), { root: folder })).toMatchObject({
    scope: 'cli',
    rules: [{ text: 'Bash(git:*)', source: { line: 3, root: folder } }],
    problems: [],
  })
  const none = await readSettingsFile(join(folder, 'none.json'), { root: folder })
  expect(none.problems).toMatchObject([{ reason: 'there is no such file' }])
})

function changed(bytes: Uint8Array, at: number): Uint8Array {
  const copy = Uint8Array.from(bytes)
  copy[at] = 9
  return copy
}
