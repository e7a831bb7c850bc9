import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folderOf } from '../../../../tests/helpers/folder.ts'
import { loadSettings, trustFile, trustFolder } from './load-settings.ts'
import { userDirectories, type UserDirectories } from '../user-directories.ts'
import { removeTrust, trustedFolders } from '../trust/trust-store.ts'

function directories(home = folderOf()): UserDirectories {
  return { ...userDirectories({ HOME: home }), managed: join(home, 'etc') }
}

const greedy = {
  permissions: { allow: ['Bash(*)'], deny: ['Read(.env)'], mode: 'acceptEdits', roots: ['/'] },
  protocols: ['./mine.mjs'],
}
const repository = (settings: object | string = greedy): string =>
  folderOf({ '.git/HEAD': '', '.toolglot/settings.json': settings, 'mine.mjs': '1', 'a/b': '' })

const trust = (folder: string, options: { directories: UserDirectories }): void =>
  trustFolder(loadSettings(folder, options), options)

test('before trust, only denials count; afterward, everything but a looser mode', () => {
  const options = { directories: directories() }
  const folder = repository()
  const before = loadSettings(folder, options)
  expect(before).toMatchObject({ trust: 'untrusted', folder })
  expect(before.settings).toMatchObject({
    rules: [{ text: 'Read(.env)' }],
    mode: 'default',
    roots: [],
    protocols: [],
    withheld: { rules: [{ text: 'Bash(*)' }], protocols: [{ path: './mine.mjs' }] },
  })
  trust(folder, options)
  const after = loadSettings(folder, options)
  expect(after).toMatchObject({ trust: 'trusted', trustedAt: folder })
  expect(after.settings).toMatchObject({
    rules: [{ text: 'Read(.env)' }, { text: 'Bash(*)' }],
    mode: 'default',
    roots: [{ path: '/' }],
    protocols: [{ path: './mine.mjs' }],
    withheld: { rules: [], protocols: [] },
  })
})

describe('changes require a new review', () => {
  test.each<[name: string, change: (folder: string) => void]>([
    [
      'another rule',
      (folder) =>
        writeFileSync(
          join(folder, '.toolglot/settings.json'),
          JSON.stringify({
            permissions: { ...greedy.permissions, allow: ['Bash(*)', 'WebFetch'] },
          }),
        ),
    ],
    ['other code', (folder) => writeFileSync(join(folder, 'mine.mjs'), '2')],
    [
      'new local settings',
      (folder) =>
        writeFileSync(
          join(folder, '.toolglot/settings.local.json'),
          JSON.stringify({ permissions: { mode: 'acceptEdits' } }),
        ),
    ],
  ])('%s', (_, change) => {
    const options = { directories: directories() }
    const folder = repository()
    trust(folder, options)
    change(folder)
    const loaded = loadSettings(folder, options)
    expect(loaded.trust).toBe('changed')
    expect(loaded.settings).toMatchObject({ rules: [{ verdict: 'deny' }], protocols: [] })
    trust(folder, options)
    expect(loadSettings(folder, options).trust).toBe('trusted')
  })

  test('such as fewer exceptions from an allow rule', () => {
    const options = { directories: directories() }
    const folder = repository()
    trust(folder, options)
    const { deny: _, ...permissions } = greedy.permissions
    writeFileSync(
      join(folder, '.toolglot/settings.json'),
      JSON.stringify({ ...greedy, permissions }),
    )
    expect(loadSettings(folder, options).trust).toBe('changed')
  })

  test('but not comments, or exceptions where nothing is allowed', () => {
    const options = { directories: directories() }
    const folder = repository()
    trust(folder, options)
    const file = join(folder, '.toolglot/settings.json')
    writeFileSync(file, `// so\n${JSON.stringify(greedy)}`)
    expect(loadSettings(folder, options).trust).toBe('trusted')
    writeFileSync(file, '{"permissions": {"deny": ["Read"]}}')
    expect(loadSettings(folder, options).trust).toBe('trusted')
  })
})

test("Claude Code's settings are trusted only where they were shown", () => {
  const home = directories()
  const folder = repository()
  mkdirSync(join(folder, '.claude'))
  const file = join(folder, '.claude/settings.json')
  writeFileSync(file, '{"permissions": {"allow": ["WebFetch"]}}')
  const [own, both] = [{ directories: home }, { directories: home, importClaude: true }]
  const trusts = (): string[] => [own, both].map((options) => loadSettings(folder, options).trust)

  trust(folder, own)
  expect(trusts()).toEqual(['trusted', 'changed'])
  trustFolder(loadSettings(folder, both), both)
  expect(trusts()).toEqual(['trusted', 'trusted'])
  writeFileSync(file, '{"permissions": {"allow": ["WebFetch", "Bash"]}}')
  expect(trusts()).toEqual(['trusted', 'changed'])
})

describe('a trusted folder covers the folders inside it', () => {
  test('but not their own settings, which the user has not seen', () => {
    const options = { directories: directories() }
    const folder = repository()
    trust(folder, options)
    const inner = join(folder, 'inner')
    mkdirSync(join(inner, '.toolglot'), { recursive: true })
    expect(loadSettings(inner, options)).toMatchObject({ trust: 'trusted', trustedAt: folder })
    for (const name of ['settings.json', 'settings.local.json']) {
      writeFileSync(join(inner, '.toolglot', name), '{"permissions": {"allow": ["Bash"]}}')
      const loaded = loadSettings(inner, options)
      expect(loaded.trust).toBe('changed')
      expect(loaded.settings.rules).toMatchObject([{ verdict: 'deny' }])
    }
    trust(inner, options)
    expect(loadSettings(inner, options).trust).toBe('trusted')
    expect(loadSettings(folder, options).trust).toBe('trusted')
  })

  test('but not a folder next to it whose name starts the same', () => {
    const options = { directories: directories() }
    const folder = folderOf({ 'ws/x': '', 'ws-other/x': '' })
    trust(join(folder, 'ws'), options)
    expect(loadSettings(join(folder, 'ws-other'), options).trust).toBe('untrusted')
  })

  test('the home folder and its parents cover only themselves', () => {
    const home = folderOf({ 'project/x': '' })
    const options = { directories: directories(home) }
    for (const folder of [home, join(home, '..'), '/']) {
      trust(folder, options)
      expect(loadSettings(folder, options).trust).toBe('trusted')
      expect(loadSettings(join(home, 'project'), options).trust).toBe('untrusted')
    }
  })

  test('a link counts as its target', () => {
    const options = { directories: directories() }
    const [folder, elsewhere] = [repository(), folderOf()]
    symlinkSync(folder, join(elsewhere, 'link'))
    trust(join(elsewhere, 'link'), options)
    expect(loadSettings(folder, options)).toMatchObject({ trust: 'trusted', trustedAt: folder })
  })
})

test('broken settings allow nothing, even in a trusted folder', () => {
  const options = { directories: directories() }
  const folder = repository()
  trust(folder, options)
  writeFileSync(join(folder, '.toolglot/settings.local.json'), '{"permissions": {\n"alow": []}}')
  const { settings } = loadSettings(folder, options)
  expect(settings.problems).toMatchObject([{ line: 2, reason: /alow/ }])
  expect(settings.rules).toMatchObject([{ verdict: 'deny' }])
})

describe('the list of trusted folders', () => {
  test('is private to the user and written atomically', () => {
    const options = { directories: directories() }
    const file = trustFile(options)
    const folders = [repository(), repository()]
    for (const folder of [...folders, ...folders]) trust(folder, options)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(trustedFolders(file).map(({ folder }) => folder)).toEqual(folders)
  })

  test('can forget a folder and those inside it', () => {
    const options = { directories: directories() }
    const file = trustFile(options)
    const folder = folderOf({ 'a/x': '', 'b/x': '' })
    for (const name of ['a', 'b', '.']) trust(join(folder, name), options)
    expect(removeTrust(file, join(folder, 'a'))).toHaveLength(1)
    expect(loadSettings(join(folder, 'a'), options).trust).toBe('trusted')
    expect(removeTrust(file, folder)).toHaveLength(2)
    expect(trustedFolders(file)).toEqual([])
    expect(removeTrust(file, folder)).toEqual([])
  })

  test.each([
    '',
    'null',
    '[]',
    '{"folders": {}}',
    '{"folders": [{"folder": 1}]}',
    '{"folders": [nul',
  ])('that is unreadable (%j) trusts nothing and is not overwritten', (text) => {
    const options = { directories: directories() }
    const folder = repository()
    trust(folder, options)
    const file = trustFile(options)
    writeFileSync(file, text)
    expect(loadSettings(folder, options).trust).toBe('untrusted')
    expect(() => trust(folder, options)).toThrow('is unusable')
    expect(() => removeTrust(file, folder)).toThrow('is unusable')
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  test('that other users can write to trusts nothing', () => {
    const options = { directories: directories() }
    const folder = repository()
    trust(folder, options)
    chmodSync(trustFile(options), 0o622)
    expect(loadSettings(folder, options).trust).toBe('untrusted')
  })
})

test('ignore files deny in the folder, its parents and other roots; an unreadable one is a problem', () => {
  const other = folderOf({ '.geminiignore': 'c' })
  const home = folderOf({ '.config/toolglot/settings.json': { permissions: { roots: [other] } } })
  const options = { directories: directories(home) }
  const folder = folderOf({ '.git/HEAD': '', '.aiignore': '# first\na\n', 'in/.cursorignore': 'b' })
  const { settings } = loadSettings(join(folder, 'in'), options)
  expect(settings.rules.map(({ text, source }) => [text, source.file, source.line])).toEqual([
    ['Read(/**/b)', join(folder, 'in/.cursorignore'), 1],
    ['Read(/**/a)', join(folder, '.aiignore'), 2],
    ['Read(/**/c)', join(other, '.geminiignore'), 1],
  ])
  symlinkSync(join(other, '.geminiignore'), join(folder, '.codeiumignore'))
  mkdirSync(join(folder, '.qwenignore'))
  writeFileSync(join(folder, '.agentignore'), Buffer.alloc(2 << 20, 'a\n'))
  expect(loadSettings(folder, options).settings.problems).toMatchObject([
    { file: join(folder, '.agentignore'), reason: expect.stringContaining('larger') as string },
    { file: join(folder, '.codeiumignore'), reason: expect.stringContaining('link') as string },
    { file: join(folder, '.qwenignore'), reason: expect.stringContaining('regular') as string },
  ])
})
