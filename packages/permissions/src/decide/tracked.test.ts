import { afterAll, describe, expect, test } from 'vitest'
import { rulesOf } from '../../test/rules.ts'
import { makeWorkspace } from '../../test/workspace.ts'
import { nodeFileSystem } from '../node/file-system.ts'
import { decide } from './decide.ts'
import type { FileSystemView, Repository } from './file-system.ts'

const workspace = makeWorkspace()
const { cwd } = workspace
for (const path of [
  ...['Makefile', 'notes.txt', '.env', 'secrets/key', 'src/a.ts', 'src/deep/b.ts'],
  ...['packages/api/Makefile', 'packages/api/node_modules/x/package.json'],
  ...['packages/web/Makefile', 'packages/web/new.txt', 'packages/lib/package.json'],
  ...['packages/lib/.cargo/config.toml', 'packages/own/Makefile', 'packages/own/.git/config'],
  ...['evil/package.json', 'evil/a.js', 'docs/a.md', 'dist/package.json', 'linked/a.txt'],
])
  workspace.write(path)
workspace.link('linked/Makefile', '../Makefile')
workspace.link('away', 'evil')
afterAll(() => workspace.remove())

const files = [
  ...['Makefile', 'secrets/key', 'src/a.ts', 'src/deep/b.ts', 'packages/api/Makefile'],
  ...['packages/web/Makefile', 'packages/lib/package.json', 'packages/own/Makefile'],
  ...['linked/a.txt', 'linked/Makefile', 'dist/package.json'],
]
const among = (more: Partial<Repository> = {}, at = cwd): FileSystemView => ({
  ...nodeFileSystem({ cwd: at, home: workspace.home, roots: [cwd] }),
  repository: async () => ({ root: cwd, files, submodules: [], repositories: [], ...more }),
})

async function verdictOf(
  command: string,
  { deny = [], view = among() }: { deny?: readonly string[]; view?: FileSystemView } = {},
): Promise<string> {
  const allow = ['git', 'make', 'npm', 'cargo', 'cd'].map((name) => `Bash(${name}:*)`)
  const permissions = { rules: rulesOf({ allow, deny }, cwd) }
  return (await decide({ name: 'Bash', args: { command } }, permissions, view)).verdict
}

describe('a program that obeys its folder runs where git tracks every file', () => {
  test.each([
    'cd packages/api && make',
    'make -C packages/api test',
    'cd src && npm test',
    'cd src/deep && npm test',
    'cd packages && make',
    'for x in a b; do (cd packages/api && make); done',
    'make && cd packages/api && make',
  ])('%s', async (command) => {
    expect(await verdictOf(command)).toBe('allow')
    expect(await verdictOf(command, { view: among({ files: undefined as never }) })).toBe('ask')
  })

  test.each([
    ['a file is new', 'cd packages/web && make'],
    ['nothing is tracked', 'cd evil && npm test'],
    ['a hidden folder is new', 'cd packages/lib && cargo test'],
    ['it is another repository', 'cd packages/own && make'],
    ['a link leads there', 'cd away && npm test'],
    ['a file is a link', 'cd linked && make'],
    ['programs make such folders', 'cd dist && npm test'],
    ['it was installed', 'cd packages/api/node_modules/x && npm test'],
    ['it does not exist', 'cd packages/gone && make'],
    ['the text may change it', 'git checkout x && cd packages/api && make'],
    ['a loop may change it', 'for x in a b; do (cd packages/api && make); git checkout $x; done'],
    ['a loop may change it later', 'for x in a b; do (cd packages/api && make && git pull); done'],
    ['it runs beside a change', 'git checkout x & cd packages/api && make'],
    ['an unknown program may change it', 'frob; cd packages/api && make'],
  ])('not if %s: %s', async (_, command) => {
    expect(await verdictOf(command)).toBe('ask')
  })

  test('wherever an earlier call has moved the shell', async () => {
    expect(await verdictOf('make', { view: among({}, `${cwd}/packages/api`) })).toBe('allow')
    expect(await verdictOf('make', { view: among({}, `${cwd}/evil`) })).toBe('ask')
  })
})

describe('git does not track files that programs obey without approval', () => {
  test.each([
    'git add evil',
    'git add .',
    'git add -A',
    'git add',
    'git add evil/package.json',
    "git add 'ev*'",
    'git add :/',
    "git add ':(top)evil'",
    'git add packages/lib',
    'cd src && git add -A',
    'cd src && git add ../evil',
    'git add -N evil/package.json',
    'git -C src add ../evil/package.json',
  ])('%s', async (command) => {
    expect(await verdictOf(command)).toBe('ask')
  })

  test.each([
    'git add docs',
    'git add notes.txt src/a.ts',
    'git add -u',
    'git add Makefile',
    'git add packages/api',
    'git add evil/a.js',
    'git add new.txt',
  ])('%s is plain', async (command) => {
    expect(await verdictOf(command)).toBe('allow')
  })

  test('nor if there are too many to look at', async () => {
    const view = { ...among(), list: async () => undefined }
    expect(await verdictOf('git add docs', { view })).toBe('ask')
    expect(await verdictOf('git add notes.txt', { view })).toBe('allow')
  })
})

describe('git shows the whole repository, wherever it runs', () => {
  const deny = ['Read(./secrets/**)', 'Edit(./secrets/**)']
  test.each([
    'cd src && git diff',
    'cd src && git log -p',
    'cd src && git show',
    'git -C src show',
    'cd src && git show HEAD:secrets/key',
    'cd src && git cat-file -p HEAD:secrets/key',
    'cd src && git grep x :/',
    "git rm 'secr*/key'",
    "git rm ':(top)secrets/key'",
    "git restore ':/secrets/key'",
    "cd src && git checkout HEAD~1 -- ':/sec*'",
  ])('%s', async (command) => {
    const own = await verdictOf(command)
    expect(await verdictOf(command, { deny })).not.toBe('allow')
    // Another repository is in the workspace.
    expect(own).toBe(/restore|checkout/.test(command) ? 'ask' : 'allow')
  })
})

describe('git diff shows what git tracks', () => {
  test('so a file that it does not track is no reason to ask', async () => {
    const deny = ['Read(.env)']
    for (const command of ['git diff', 'git diff -- src', 'cd src && git diff', 'git diff --stat'])
      expect(await verdictOf(command, { deny })).toBe('allow')
  })

  test.each([
    ['the file is tracked, even if it was removed', 'git diff', { files: [...files, '.env'] }],
    ['a commit may contain it', 'git diff HEAD', {}],
    ['it may be staged', 'git diff --cached', {}],
    ['a name may be that of a commit', 'git diff src', {}],
    ['what is tracked is unknown', 'git diff', { files: undefined as never }],
    ['git may look into a submodule', 'git diff', { submodules: ['sub'] }],
    ['the text may change it', 'git add -N src && git diff', {}],
  ])('but if %s: %s', async (_, command, more) => {
    const view = among(more)
    expect(await verdictOf(command, { deny: ['Read(.env)'], view })).toBe('ask')
    expect(await verdictOf(command, { view })).toBe('allow')
  })
})
