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
  repository: (folder) =>
    folder === `${cwd}/packages/own`
      ? { root: folder, isPlain: () => true }
      : { root: cwd, files, submodules: [], repositories: [], ...more },
})

async function verdictOf(
  command: string,
  { deny = [], view = among() }: { deny?: readonly string[]; view?: FileSystemView } = {},
): Promise<string> {
  const names = 'git make npm cargo cd cat ninja dprint eslint pylint jest turbo xargs'.split(' ')
  const allow = [...names.map((name) => `Bash(${name}:*)`), 'Bash(xargs cat:*)']
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
  ])('needs approval if %s: %s', async (_, command) => {
    expect(await verdictOf(command)).toBe('ask')
  })

  test.each(['eslint .', 'pylint x.py', 'jest', 'turbo run build'])(
    'linters and test runners run there: %s',
    async (command) => {
      expect(await verdictOf(command)).toBe('allow')
      expect(await verdictOf(`cd evil && ${command}`)).toBe('ask')
    },
  )

  test('a program that obeys files with any name runs only in a root', async () => {
    expect(await verdictOf('ninja')).toBe('allow')
    expect(await verdictOf('cd packages/api && ninja')).toBe('ask')
    expect(await verdictOf('cd packages/api && dprint check')).toBe('ask')
  })

  test('even after an earlier call has changed the folder', async () => {
    expect(await verdictOf('make', { view: among({}, `${cwd}/packages/api`) })).toBe('allow')
    expect(await verdictOf('make', { view: among({}, `${cwd}/evil`) })).toBe('ask')
  })
})

describe('git needs approval to track files that programs obey', () => {
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
    // Another name for the same folder.
    'git --icase-pathspecs add EVIL',
    // Stashed files can be checked out, and are tracked then.
    'git stash -u',
    'git stash push --include-untracked',
    'git stash --all -m x',
  ])('%s', async (command) => {
    expect(await verdictOf(command)).toBe('ask')
  })

  test('even if the command itself may have created them', async () => {
    const own = makeWorkspace()
    own.write('notes.txt')
    const view: FileSystemView = {
      ...nodeFileSystem({ cwd: own.cwd, home: own.home }),
      repository: () => ({ root: own.cwd, files: [], submodules: [], repositories: [] }),
    }
    expect(await verdictOf('git add -A', { view })).toBe('allow')
    expect(await verdictOf('git stash pop && git add -A', { view })).toBe('ask')
    own.remove()
  })

  test('also without a repository, or if the tracked files are unknown', async () => {
    const none = { ...among(), repository: () => undefined }
    const unknown = among({ files: undefined as never })
    for (const view of [none, unknown]) {
      expect(await verdictOf('git add evil', { view })).toBe('ask')
      expect(await verdictOf('git add docs', { view })).toBe('allow')
    }
  })

  test.each(['./evil', 'evil', 'docs/a.md', 'file:///evil', '../evil', '/evil'])(
    'git needs approval to fetch commits from %s',
    async (remote) => {
      expect(await verdictOf(`git fetch ${remote}`)).toBe('ask')
      expect(await verdictOf(`git pull ${remote} main`)).toBe('ask')
      expect(await verdictOf(`git fetch origin`)).toBe('allow')
    },
  )

  test.each([
    'git add docs',
    'git add notes.txt src/a.ts',
    'git add -u',
    'git add Makefile',
    'git add packages/api',
    'git add evil/a.js',
    'git add new.txt',
    'git stash',
    'git checkout -b x && git add notes.txt',
    'git fetch origin evil',
  ])('%s is plain', async (command) => {
    expect(await verdictOf(command)).toBe('allow')
  })

  test('too many files to check need approval', async () => {
    const view = { ...among(), list: async () => undefined }
    expect(await verdictOf('git add docs', { view })).toBe('ask')
    expect(await verdictOf('git add notes.txt', { view })).toBe('allow')
  })
})

describe('git shows the whole repository from any folder', () => {
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
    'git restore secrets',
    'git restore .',
    'git checkout HEAD~1 -- .',
    'git checkout HEAD~1 .',
    'git restore --source=HEAD~1 .',
    "cd src && git checkout HEAD~1 -- ':/sec*'",
    // These commands discard changes.
    'git stash',
    'cd src && git stash push',
    'git reset --hard',
    'git checkout -f',
    'git switch --discard-changes main',
  ])('%s', async (command) => {
    expect(await verdictOf(command, { deny })).not.toBe('allow')
    expect(await verdictOf(command)).toBe('allow')
  })
})

describe('git finds files under other names', () => {
  const deny = ['Read(.env)', 'Read(./secrets/**)']
  test.each([
    'git merge -X subtree=secrets x',
    'git merge -Xsubtree=secrets x',
    'git cherry-pick --strategy-option=subtree=secrets x',
    'git rebase -X find-renames=1% x',
    'git log -p --follow -M1% -- notes.txt',
    'cd src && git ls-files :/ | xargs cat',
    "cd src && git ls-files ':(top).env' | xargs cat",
  ])('%s', async (command) => {
    expect(await verdictOf(command, { deny })).toBe('ask')
  })

  test.each([
    'git merge -X theirs x',
    'git rebase -Xours x',
    'git log --follow --oneline -- notes.txt',
    'cd src && git ls-files | xargs cat',
  ])('but not with %s', async (command) => {
    expect(await verdictOf(command, { deny })).toBe('allow')
  })
})

describe('git treats a root without .git as a repository', () => {
  const write = (path: string) => ({ name: 'Write', args: { file_path: path, content: 'x' } })

  test('if there is HEAD, so writing it needs approval', async () => {
    const own = makeWorkspace()
    const view = nodeFileSystem({ cwd: own.cwd, home: own.home })
    const permissions = { rules: rulesOf({ allow: ['Bash(git:*)', 'Write(./**)'] }, own.cwd) }
    const status = { name: 'Bash', args: { command: 'git status' } }
    const verdict = async (call: Parameters<typeof decide>[0]) =>
      (await decide(call, permissions, view)).verdict
    expect(await verdict(write(`${own.cwd}/config`))).toBe('allow')
    expect(await verdict(write(`${own.cwd}/HEAD`))).toBe('ask')
    expect(await verdict(write(`${own.cwd}/src/HEAD`))).toBe('allow')
    expect(await verdict(status)).toBe('allow')
    own.write('HEAD')
    expect(await verdict(status)).toBe('ask')
    own.write('.git/HEAD')
    expect(await verdict(status)).toBe('allow')
    expect(await verdict(write(`${own.cwd}/HEAD`))).toBe('allow')
    own.remove()
  })
})

describe('git diff shows only tracked files', () => {
  test('so an untracked file is no reason to ask', async () => {
    const deny = ['Read(.env)']
    for (const command of [
      'git diff',
      'git diff src',
      'git diff -- src',
      'cd src && git diff',
      'git diff --stat',
    ])
      expect(await verdictOf(command, { deny })).toBe('allow')
  })

  test.each([
    ['the file is tracked, even if it was removed', 'git diff', { files: [...files, '.env'] }],
    ['a commit may contain it', 'git diff HEAD', {}],
    ['it may be staged', 'git diff --cached', {}],
    ['a name may be that of a commit', 'git diff missing', {}],
    ['the tracked files are unknown', 'git diff', { files: undefined as never }],
    ['git may look into a submodule', 'git diff', { submodules: ['sub'] }],
    ['the text may change it', 'git add -N src && git diff', {}],
  ])('unless %s: %s', async (_, command, more) => {
    const view = among(more)
    expect(await verdictOf(command, { deny: ['Read(.env)'], view })).toBe('ask')
    expect(await verdictOf(command, { view })).toBe('allow')
  })
})
