import { execFileSync } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { rulesOf } from '../../test/rules.ts'
import { makeWorkspace } from '../../test/workspace.ts'
import { nodeFileSystem } from '../node/file-system.ts'
import { repositoryAround } from '../node/repository.ts'
import { decide } from './decide.ts'

const workspace = makeWorkspace()
const { cwd, home } = workspace
afterAll(() => workspace.remove())

const env = { PATH: process.env['PATH'], HOME: home, GIT_CONFIG_NOSYSTEM: '1' }
const WHO = ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'protocol.file.allow=always']
const git = (folder: string, ...words: string[]): string =>
  execFileSync('git', [...WHO, ...words], { cwd: folder, env, encoding: 'utf8', stdio: 'pipe' })

/** A repository with tracked secrets, in which only other files change. */
const plain = `${cwd}/plain`
for (const file of ['.env', 'secrets/key', 'src/a.ts', 'src/deep/b.ts', 'notes.txt'])
  workspace.write(`${plain}/${file}`, `${file}\n`)
git(cwd, 'init', '-q', '-b', 'main', plain)
const commit = (folder: string, message: string): void => {
  git(folder, 'add', '-A')
  git(folder, 'commit', '-qm', message)
}
const commitToOther = (folder: string): void => {
  git(folder, 'stash')
  git(folder, 'switch', '-q', 'other')
  workspace.write(`${folder}/.env`, 'x')
  commit(folder, 'other')
  git(folder, 'switch', '-q', 'main')
}
commit(plain, 'one')
for (const text of ['two', 'three', 'four']) {
  workspace.write(`${plain}/src/a.ts`, `${'line\n'.repeat(50)}${text}\n`)
  workspace.write(`${plain}/src/${text}.ts`, text)
  commit(plain, text)
}
git(plain, 'tag', '-am', 'tag', 'v1.0', 'HEAD~1')
git(plain, 'branch', 'other', 'HEAD~2')
git(plain, 'branch', 'beef', 'HEAD~1')
workspace.write(`${plain}/src/new.ts`, 'new')
git(plain, 'add', 'src/new.ts')
workspace.write(`${plain}/notes.txt`, 'changed')

/** A copy of the repository, with a change. */
function changed(name: string, change: (folder: string) => void): string {
  const folder = `${cwd}/${name}`
  cpSync(plain, folder, { recursive: true, preserveTimestamps: true })
  change(folder)
  return folder
}

async function verdictIn(folder: string, command: string): Promise<string> {
  const deny = ['Read(.env)', 'Read(./secrets/**)']
  const rules = rulesOf({ allow: ['Bash(git:*)', 'Bash(cd:*)', 'Bash(head:*)'], deny }, folder)
  const fileSystem = nodeFileSystem({ cwd: folder, home })
  return (await decide({ name: 'Bash', args: { command } }, { rules }, fileSystem)).verdict
}

const STAGED = [
  'git diff --cached',
  'git diff --staged',
  'git diff --cached src',
  'git diff --cached -w',
]
const COMMITS = [
  ...['git diff HEAD~1', 'git diff HEAD~1 -- src', 'git diff HEAD~2 HEAD', 'git diff main~1..main'],
  ...[
    'git diff other',
    'git diff v1.0 main -- src',
    'git diff @~2 src',
    'git show',
    'git show HEAD~1',
  ],
  ...[
    'git show main^ -- src',
    'git show v1.0',
    'git diff HEAD~99999999999',
    'git diff main',
    'git diff @',
  ],
]

describe('differences between the last commit, the index and files', () => {
  test.each([
    ...[...STAGED, 'git diff', 'git diff src', 'git diff HEAD', 'git diff HEAD -- src'],
    ...['git diff HEAD src | head -100', 'cd src && git diff --cached', 'git diff --cached HEAD'],
    ...['git diff HEAD -- gone.ts', 'git grep foo src'],
  ])('without secrets, %s is allowed', async (command) => {
    expect(await verdictIn(plain, command)).toBe('allow')
  })

  test.each([
    ...COMMITS,
    ...[
      'git show HEAD~3',
      'git log -p',
      'git log -p -- src',
      'git diff beef',
      'git diff main...other',
    ],
    ...[
      'git diff HEAD@{1}',
      'git diff :/two',
      'git diff HEAD --merge-base',
      'git show HEAD~1 HEAD',
    ],
    ...['git diff --cached -C', 'git diff --find-copies-harder', 'git diff -C1% -C1%'],
    ...[
      'git diff HEAD --submodule=diff',
      'git stash show -p',
      'git diff nothing',
      'git show --all',
    ],
    ...['git diff HEAD~1 HEAD other', 'git diff "$x"', 'git log -p -1', 'git grep foo HEAD~1'],
    ...['git commit -m x && git diff --cached', 'git reset HEAD~1 && git diff HEAD'],
    ...['git show HEAD -m', 'git show --follow', 'git show -L1,2:.env', 'git diff ^HEAD'],
  ])('%s needs approval', async (command) => {
    expect(await verdictIn(plain, command)).not.toBe('allow')
  })

  const SECRET: readonly [string, (folder: string) => void, readonly string[]][] = [
    [
      'staged',
      (at) => (workspace.write(`${at}/.env`, 'x'), git(at, 'add', '.env')),
      ['git diff --cached', 'git diff HEAD', 'git diff HEAD~1'],
    ],
    [
      'staged as removed',
      (at) => git(at, 'rm', '-rq', '--cached', 'secrets'),
      ['git diff --cached', 'git diff HEAD'],
    ],
    [
      'changed',
      (at) => workspace.write(`${at}/secrets/key`, 'x'),
      ['git diff', 'git diff HEAD', 'git diff HEAD~1', 'git checkout HEAD -- .'],
    ],
    ['gone', (at) => rmSync(`${at}/.env`), ['git diff', 'git diff HEAD']],
    [
      'in a folder that is gone',
      (at) => {
        workspace.write(`${at}/conf/.env`, 'x')
        commit(at, 'five')
        git(at, 'rm', '-rq', 'conf')
        commit(at, 'six')
      },
      [
        'git show',
        'git show -- conf',
        'git show HEAD~1',
        'git diff HEAD~1',
        'git diff HEAD~1 -- conf',
        'git log -p -- conf',
        'git grep x HEAD~1 -- conf',
        'git checkout HEAD~1 -- conf',
        'git checkout HEAD~1 conf',
        'git restore -s HEAD~1 conf',
      ],
    ],
    [
      'in a merge',
      (at) => {
        commitToOther(at)
        git(at, 'merge', '-q', '--no-edit', 'other')
      },
      ['git show', 'git diff HEAD~1', 'git diff other~1', 'git show HEAD^2'],
    ],
    [
      'in conflict',
      (at) => {
        commitToOther(at)
        workspace.write(`${at}/.env`, 'y')
        commit(at, 'main')
        try {
          git(at, 'merge', 'other')
        } catch {
          /* The conflict. */
        }
      },
      ['git diff', 'git diff --cached', 'git diff HEAD'],
    ],
  ]
  test.each(SECRET)('a secret that is %s', async (what, change, commands) => {
    const folder = changed(what, change)
    for (const command of commands)
      expect([command, await verdictIn(folder, command)]).toEqual([command, 'ask'])
  })

  test.each<[string, (folder: string) => void]>([
    ['objects are replaced', (at) => git(at, 'replace', 'HEAD~1', 'HEAD~2')],
    [
      'replaced objects are packed',
      (at) => (git(at, 'replace', 'HEAD', 'HEAD~2'), git(at, 'pack-refs', '--all')),
    ],
    ['objects are elsewhere', (at) => workspace.write(`${at}/.git/objects/info/alternates`, '/x')],
    ['objects are missing', (at) => rmSync(`${at}/.git/objects`, { recursive: true })],
    ['a reference is unusual', (at) => workspace.write(`${at}/.git/HEAD`, 'ref: ../x')],
    [
      'a reference leads outside',
      (at) => workspace.write(`${at}/.git/HEAD`, 'ref: refs/heads/../x\n'),
    ],
  ])('if %s, commits need approval', async (what, change) => {
    const folder = changed(what, change)
    for (const command of ['git diff HEAD', 'git diff --cached'])
      expect([command, await verdictIn(folder, command)]).toEqual([command, 'ask'])
  })
})

describe('lists the same files as git', () => {
  test.each<[string, (folder: string) => void]>([
    ['loose', () => {}],
    ['packed', (at) => git(at, 'gc', '-q', '--aggressive')],
    [
      'in one pack without offsets',
      (at) => git(at, '-c', 'repack.useDeltaBaseOffset=false', 'repack', '-qadf'),
    ],
    ['packed references', (at) => git(at, 'pack-refs', '--all')],
  ])('%s', (what, change) => {
    const folder = changed(what, change)
    const repository = repositoryAround(folder)!
    const names = git(folder, 'diff', '--cached', '--name-only', '--no-renames', '-z')
    expect([...repository.changedSinceHead!()!].sort()).toEqual(
      names.split('\0').filter(Boolean).sort(),
    )
  })

  test('in a linked working tree', async () => {
    const tree = `${cwd}/linked tree`
    git(plain, 'worktree', 'add', '-q', tree, 'other')
    expect(await verdictIn(tree, 'git diff HEAD')).toBe('allow')
    workspace.write(`${tree}/.env`, 'x')
    git(tree, 'add', '.env')
    expect(await verdictIn(tree, 'git diff --cached')).toBe('ask')
  })
})
