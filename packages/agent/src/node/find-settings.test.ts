import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folderOf } from '../../test/folder.ts'
import { findSettings, readSettingsFile } from './find-settings.ts'
import { machineOf, type Machine } from './machine.ts'

const allow = (rule: string): object => ({ permissions: { allow: [rule] } })

function machine(home = folderOf()): Machine {
  return { ...machineOf({ HOME: home }), managed: join(home, 'etc') }
}

/** What is found, as `scope rule`. */
function found(folder: string, options = { machine: machine() }): string[] {
  return findSettings(folder, options).flatMap(({ scope, rules, problems }) => [
    ...rules.map(({ text }) => `${scope} ${text}`),
    ...problems.map(({ reason }) => `${scope} problem: ${reason}`),
  ])
}

test('where they are', () => {
  expect(machineOf({ HOME: '/home/u' }, 'linux')).toEqual({
    home: '/home/u',
    config: '/home/u/.config/toolglot',
    managed: '/etc/toolglot',
  })
  expect(machineOf({ HOME: '/Users/u', XDG_CONFIG_HOME: '/c' }, 'darwin')).toEqual({
    home: '/Users/u',
    config: '/c/toolglot',
    managed: '/Library/Application Support/toolglot',
  })
  expect(machineOf({ HOME: '/home/u', XDG_CONFIG_HOME: 'here' }, 'linux').config).toBe(
    '/home/u/.config/toolglot',
  )
})

test('every scope, from the folder up to the root of its repository', () => {
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
  const files = findSettings(join(home, 'repo/a/b'), { machine: machine(home) })
  expect(files.map(({ scope, rules }) => [scope, rules[0]?.text, rules[0]?.source.root])).toEqual([
    ['managed', 'Managed', '/'],
    ['user', 'User', home],
    ['project', 'A', join(home, 'repo/a')],
    ['local', 'Local', join(home, 'repo')],
    ['project', 'Root', join(home, 'repo')],
  ])
})

test('without a repository, only the folder itself', () => {
  const folder = folderOf({ '.toolglot/settings.json': allow('Above'), 'a/file': '' })
  expect(found(join(folder, 'a'))).toEqual([])
  expect(found(folder)).toEqual(['project Above'])
})

test("Claude Code's only when asked for", () => {
  const home = folderOf({
    '.claude/settings.json': { model: 'x', ...allow('Mine') },
    'repo/.claude/settings.json': allow('Theirs'),
    'repo/.claude/settings.local.json': allow('Local'),
  })
  const repo = join(home, 'repo')
  expect(found(repo, { machine: machine(home) })).toEqual([])
  const asked = { machine: machine(home), importClaude: true }
  expect(found(repo, asked)).toEqual(['user Mine', 'local Local', 'project Theirs'])
  expect(found(home, asked)).toEqual(['user Mine'])
})

describe('a file that is not what it should be is a problem', () => {
  test('a link that leads out of the folder', () => {
    const elsewhere = folderOf({ 'settings.json': allow('Elsewhere') })
    const folder = folderOf({ 'inside/settings.json': allow('Inside') })
    symlinkSync(elsewhere, join(folder, '.toolglot'))
    expect(found(folder)).toEqual(['project problem: it is a link that leads out of the folder'])

    const other = folderOf({ '.toolglot/x': '', 'inside.json': allow('Inside') })
    symlinkSync('../inside.json', join(other, '.toolglot/settings.json'))
    expect(found(other)).toEqual(['project Inside'])
  })

  test("a person's own may be a link", () => {
    const dotfiles = folderOf({ 'settings.json': allow('Mine') })
    const home = folderOf({ '.config/toolglot/x': '' })
    symlinkSync(join(dotfiles, 'settings.json'), join(home, '.config/toolglot/settings.json'))
    expect(found(folderOf(), { machine: machine(home) })).toEqual(['user Mine'])
  })

  test('a link to nowhere, or to itself', () => {
    const folder = folderOf({ '.toolglot/x': '' })
    symlinkSync('nowhere', join(folder, '.toolglot/settings.json'))
    symlinkSync('settings.local.json', join(folder, '.toolglot/settings.local.json'))
    expect(found(folder)).toEqual([
      'local problem: it cannot be read (ELOOP)',
      'project problem: it cannot be read (ENOENT)',
    ])
  })

  test('a folder, a pipe, a device', () => {
    const folder = folderOf({ '.toolglot/settings.json/x': '' })
    execFileSync('mkfifo', [join(folder, '.toolglot/settings.local.json')])
    const reason = 'problem: it is not a regular file'
    expect(found(folder)).toEqual([`local ${reason}`, `project ${reason}`])
  })

  test('too large, and not UTF-8', () => {
    const folder = folderOf({
      '.toolglot/settings.json': `{"a": "${'x'.repeat(1 << 20)}"}`,
      '.toolglot/settings.local.json': Buffer.from('{"a": 1}', 'utf16le').fill(0xff, 0, 1),
    })
    expect(found(folder)).toEqual([
      'local problem: it is not UTF-8',
      'project problem: it is larger than 1048576 bytes',
    ])
  })

  test('YAML where only JSON counts', () => {
    const folder = folderOf({ '.toolglot/settings.yaml': 'permissions:\n  deny: [Read]' })
    expect(found(folder)).toEqual(['project problem: YAML is not read here: write it as JSON'])
  })

  test('a file in place of the folder is none', () => {
    expect(found(folderOf({ '.toolglot': 'x' }))).toEqual([])
  })
})

describe('local settings that came with the repository are the project’s', () => {
  const git = (folder: string, ...words: string[]): void => {
    const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' }
    execFileSync('git', words, { cwd: folder, env, stdio: 'ignore' })
  }
  const files = {
    '.gitignore': 'settings.local.json\n',
    '.toolglot/settings.local.json': allow('Local'),
    'a/very/long/name/so/that/versions/differ.txt': '',
    'z.txt': '',
  }

  test.each(['2', '3', '4'])('index of version %s', (version) => {
    const folder = folderOf(files)
    git(folder, 'init')
    git(folder, 'config', 'index.version', version)
    expect(found(folder)).toEqual(['local Local'])
    git(folder, 'add', '.')
    expect(found(folder)).toEqual(['local Local'])
    // An extended flag makes it version 3.
    if (version === '3') git(folder, 'update-index', '--skip-worktree', 'z.txt')
    git(folder, 'add', '--force', '.')
    expect(found(folder)).toEqual(['project Local'])
  })

  test('whatever the case of its name', () => {
    const folder = folderOf({ ...files, '.Toolglot/Settings.local.json': '{}' })
    git(folder, 'init')
    git(folder, 'add', '--force', '.Toolglot')
    expect(found(folder)).toEqual(['project Local'])
  })

  test('through a link that came with it', () => {
    const folder = folderOf({ '.gitignore': '/x', 'x/settings.local.json': allow('Local') })
    symlinkSync('x', join(folder, '.toolglot'))
    git(folder, 'init')
    git(folder, 'add', '.')
    expect(found(folder)).toEqual(['project Local'])
  })

  test('in another worktree, and in a subfolder', () => {
    const folder = folderOf({ 'main/file': '', 'main/a/.toolglot/settings.local.json': '{}' })
    const main = join(folder, 'main')
    git(main, 'init')
    git(main, 'add', '--force', '.')
    git(main, '-c', 'user.name=x', '-c', 'user.email=x@localhost', 'commit', '-m', 'x')
    git(main, 'worktree', 'add', '../other')
    writeFileSync(join(folder, 'other/a/.toolglot/settings.local.json'), JSON.stringify(allow('A')))
    mkdirSync(join(folder, 'other/.toolglot'))
    writeFileSync(join(folder, 'other/.toolglot/settings.local.json'), JSON.stringify(allow('B')))
    expect(found(join(folder, 'other/a'))).toEqual(['project A', 'local B'])
  })

  test('with a split index, or one that cannot be understood: it may be', () => {
    const folder = folderOf(files)
    git(folder, 'init')
    git(folder, 'update-index', '--split-index')
    git(folder, 'add', '.')
    expect(found(folder)).toEqual(['project Local'])
    for (const index of ['', 'DIRC', 'DIRC\0\0\0\x02\0\0\xff\xff', 'x'.repeat(100)]) {
      writeFileSync(join(folder, '.git/index'), index)
      expect(found(folder)).toEqual(['project Local'])
    }
  })
})

test('a file that a person names, in any format', () => {
  const folder = folderOf({ 'rules.yaml': 'permissions:\n  allow:\n    - "Bash(git:*)"\n' })
  expect(readSettingsFile(join(folder, 'rules.yaml'), { root: folder })).toMatchObject({
    scope: 'cli',
    rules: [{ text: 'Bash(git:*)', source: { line: 3, root: folder } }],
    problems: [],
  })
  expect(readSettingsFile(join(folder, 'none.json'), { root: folder }).problems).toMatchObject([
    { reason: 'there is no such file' },
  ])
})
