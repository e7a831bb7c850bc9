import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, rmSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { rulesOf } from '../../test/rules.ts'
import { makeWorkspace } from '../../test/workspace.ts'
import { decide } from '../decide/decide.ts'
import { nodeFileSystem } from './file-system.ts'
import { repositoryAround } from './repository.ts'

const workspace = makeWorkspace()
const { cwd, home } = workspace
afterAll(() => workspace.remove())

const env = {
  ...{ PATH: process.env['PATH'], HOME: home, GIT_CONFIG_NOSYSTEM: '1' },
  ...{ GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'a' },
  GIT_COMMITTER_EMAIL: 'a@b',
}
const git = (folder: string, ...words: string[]): void =>
  void execFileSync('git', words, { cwd: `${cwd}/${folder}`, env, stdio: 'ignore' })

/** A repository with a commit. */
function commit(folder: string, ...options: string[]): void {
  workspace.write(`${folder}/a.txt`)
  git('.', 'init', '-q', ...options, folder)
  git(folder, 'add', '-A')
  git(folder, 'commit', '-qm', 'one')
}

const model = 'model'
commit(model)

/** A copy of the same repository, because git is slow to start. */
const copy = (folder: string): void =>
  cpSync(`${cwd}/${model}`, `${cwd}/${folder}`, { recursive: true, preserveTimestamps: true })

/** Replaces a file with one that never ends. */
function makeEndless(path: string): void {
  rmSync(`${cwd}/${path}`)
  workspace.link(path, '/dev/zero')
}

const verdictOf = async (command: string, folder: string): Promise<string> => {
  const rules = rulesOf({ allow: ['Bash(git:*)'] }, cwd)
  const view = nodeFileSystem({ cwd: `${cwd}/${folder}`, home })
  return (await decide({ name: 'Bash', args: { command } }, { rules }, view)).verdict
}

test('reads the files of an index, but not with longer hashes', async () => {
  commit('plain')
  const plain = repositoryAround(`${cwd}/plain`)
  expect(plain).toEqual({
    ...{ root: `${cwd}/plain`, files: ['a.txt'], submodules: [], repositories: [] },
    gitFolders: expect.any(Function),
    ...{ isPlain: expect.any(Function), isUnchanged: expect.any(Function) },
    ...{ isClean: expect.any(Function), changedSinceHead: expect.any(Function) },
  })
  expect(plain?.isPlain?.()).toBe(true)
  commit('long', '--object-format=sha256')
  const long = repositoryAround(`${cwd}/long`)
  const made = { isPlain: expect.any(Function), gitFolders: expect.any(Function) }
  expect(long).toEqual({ root: `${cwd}/long`, ...made })
  expect(long?.isPlain?.()).toBe(false)
})

describe('a nested repository needs approval', () => {
  const commands = ['git switch x', 'git checkout main', 'git add inner', 'git pull']
  const make = (name: string): void => {
    copy(name)
    copy(`${name}/inner`)
  }

  test('but not if it makes git run nothing', async () => {
    make('harmless')
    git('harmless/inner', 'remote', 'add', 'origin', 'https://example.org/a/b.git')
    git('harmless/inner', 'config', 'branch.main.remote', 'origin')
    for (const command of commands) expect(await verdictOf(command, 'harmless')).toBe('allow')
  })

  test('a submodule is harmless', async () => {
    make('outer')
    copy('library')
    git(
      'outer',
      '-c',
      'protocol.file.allow=always',
      'submodule',
      'add',
      '-q',
      `${cwd}/library`,
      'sub',
    )
    git('outer', 'commit', '-qm', 'two')
    expect(repositoryAround(`${cwd}/outer`)).toMatchObject({
      ...{ submodules: ['sub'], repositories: [] },
    })
    expect(await verdictOf('git status', 'outer')).toBe('allow')
  })

  test.each<[string, (folder: string) => void]>([
    ['core.fsmonitor', (inner) => git(inner, 'config', 'core.fsmonitor', 'touch x;')],
    ['core.sshCommand', (inner) => git(inner, 'config', 'core.sshCommand', 'touch x;')],
    ['an include', (inner) => git(inner, 'config', 'include.path', '../evil')],
    ['another work tree', (inner) => git(inner, 'config', 'core.worktree', '/')],
    ['an extension', (inner) => git(inner, 'config', 'extensions.worktreeConfig', 'true')],
    ['a remote that runs a program', (inner) => git(inner, 'config', 'remote.o.url', 'ext::sh')],
    ['a remote with an option', (inner) => git(inner, 'config', 'remote.o.url', 'ssh://-oX')],
    ['a setting of a remote', (inner) => git(inner, 'config', 'remote.o.uploadpack', 'sh')],
    ['a hook', (inner) => workspace.write(`${inner}/.git/hooks/post-index-change`)],
    ['a folder in common', (inner) => workspace.write(`${inner}/.git/commondir`, '../x')],
    ['settings of its work tree', (inner) => workspace.write(`${inner}/.git/config.worktree`)],
    ['a value over two lines', (inner) => git(inner, 'config', 'user.name', 'a\nb = c')],
    ['settings that never end', (inner) => makeEndless(`${inner}/.git/config`)],
    ['another repository in it', (inner) => (copy(`${inner}/deep`), git(inner, 'add', 'deep'))],
  ])('if it has %s', async (what, change) => {
    const name = `with ${what}`
    make(name)
    change(`${name}/inner`)
    for (const command of commands) expect(await verdictOf(command, name)).toBe('ask')
  })
})

describe('repositories that track each other are inspected once', () => {
  const track = (folder: string, names: readonly string[]): void => {
    copy(folder)
    for (const name of names) copy(`${folder}/${name}`)
    git(folder, 'add', ...names)
  }

  test('if their .git files are invalid, so that the outer one is found', async () => {
    const names = ['a', 'b', 'c']
    track('garbage', names)
    for (const name of names) {
      rmSync(`${cwd}/garbage/${name}/.git`, { recursive: true })
      workspace.write(`garbage/${name}/.git`, 'garbage')
    }
    expect(repositoryAround(`${cwd}/garbage`)?.repositories).toEqual(names)
    expect(await verdictOf('git status', 'garbage')).toBe('ask')
  })

  test('if links lead back to the outer one', async () => {
    const names = ['a', 'b', 'c']
    track('circle', names)
    for (const name of names) {
      rmSync(`${cwd}/circle/${name}`, { recursive: true })
      workspace.link(`circle/${name}`, '.')
    }
    expect(repositoryAround(`${cwd}/circle`)?.repositories).toEqual(names)
    expect(await verdictOf('git status', 'circle')).toBe('ask')
  })

  test('up to a maximum number', () => {
    const names = Array.from({ length: 25 }, (_, at) => `n${at + 10}`)
    track('many', names)
    expect(repositoryAround(`${cwd}/many`)?.repositories).toEqual(names.slice(20))
  })
})

describe('git diff does not show an unchanged file', () => {
  const deny = ['Read(.env)', 'Read(./secrets/**)']
  const make = (name: string): void => {
    workspace.write(`${name}/.env`, 'a\n')
    workspace.write(`${name}/secrets/key`, 'b\n')
    commit(name)
    // Adding a hard link changes a file's change time but not its content.
    workspace.hardLink(`${name}/../${name} other`, `${name}/.env`)
  }
  const verdict = async (name: string, command = 'git diff'): Promise<string> => {
    const rules = rulesOf({ allow: ['Bash(git:*)', 'Bash(cd:*)'], deny }, `${cwd}/${name}`)
    const view = nodeFileSystem({ cwd: `${cwd}/${name}`, home })
    return (await decide({ name: 'Bash', args: { command } }, { rules }, view)).verdict
  }

  test('so the file is no reason to ask', async () => {
    make('same')
    expect(await verdict('same')).toBe('allow')
    expect(await verdict('same', 'git diff HEAD')).toBe('allow')
  })

  test.each<[string, (name: string) => void]>([
    ['changed', (name) => workspace.write(`${name}/secrets/key`, 'c\n')],
    ['gone', (name) => rmSync(`${cwd}/${name}/.env`)],
    ['a link', (name) => (rmSync(`${cwd}/${name}/.env`), workspace.link(`${name}/.env`, 'a.txt'))],
    [
      'only planned',
      (name) => (git(name, 'rm', '-q', '--cached', '.env'), git(name, 'add', '-N', '.env')),
    ],
    [
      'converted',
      (name) => workspace.write(`${name}/.gitattributes`, '* working-tree-encoding=UTF-16'),
    ],
    [
      'converted in its folder',
      (name) => workspace.write(`${name}/secrets/.gitattributes`, '* ident'),
    ],
    ['converted here', (name) => workspace.write(`${name}/.git/info/attributes`, '* ident')],
  ])('but if it is %s', async (what, change) => {
    const name = `when ${what}`
    make(name)
    change(name)
    expect(await verdict(name)).toBe('ask')
  })
})

describe('git diff --name-only does not print an unchanged file', () => {
  const make = (name: string): void => {
    workspace.write(`${name}/.env`, 'a\n')
    workspace.write(`${name}/secrets/key`, 'b\n')
    commit(name)
    workspace.hardLink(`${name}/../${name} other`, `${name}/.env`)
    workspace.write(`${name}/a.txt`, 'changed')
  }
  const verdict = async (name: string, command: string): Promise<string> => {
    const deny = ['Read(.env)', 'Read(./secrets/**)']
    const allow = [
      'Bash(git:*)',
      'Bash(grep:*)',
      'Bash(cat:*)',
      'Bash(cd:*)',
      'Bash(sed:*)',
      'Bash(sort:*)',
    ]
    const rules = rulesOf({ allow, deny }, `${cwd}/${name}`)
    const view = nodeFileSystem({ cwd: `${cwd}/${name}`, home })
    return (await decide({ name: 'Bash', args: { command } }, { rules }, view)).verdict
  }

  test('so the printed names may be used', async () => {
    make('names')
    for (const command of [
      ...['git diff --name-only | xargs grep -n TODO', 'git diff --name-only | xargs -I{} cat {}'],
      ...['git diff --name-only -z | xargs -0 cat', "git diff --name-only | xargs -d '\\n' cat"],
      ...['git diff --name-only | sort | xargs sed -n 1p'],
    ])
      expect([command, await verdict('names', command)]).toEqual([command, 'allow'])
    for (const command of [
      ...['git diff --name-only --cached | xargs cat', 'git diff --name-only HEAD | xargs cat'],
      ...['git ls-files | xargs cat', 'cd secrets && git diff --name-only | xargs cat'],
      'git diff --name-only --relative=secrets | xargs cat',
      ...['git diff --name-only | xargs sed -i 1d', 'git diff --name-only | xargs grep -r x ./'],
      ...['cat a.txt > b.txt; git diff --name-only | xargs cat'],
    ])
      expect([command, await verdict('names', command)]).not.toEqual([command, 'allow'])
  })

  test.each<[string, (name: string) => void]>([
    ['changed', (name) => workspace.write(`${name}/secrets/key`, 'c\n')],
    ['made executable', (name) => chmodSync(`${cwd}/${name}/.env`, 0o755)],
    ['gone', (name) => rmSync(`${cwd}/${name}/secrets/key`)],
    ['a link', (name) => (rmSync(`${cwd}/${name}/.env`), workspace.link(`${name}/.env`, 'a.txt'))],
    ['listed by a setting', (name) => git(name, 'config', 'diff.autoRefreshIndex', 'false')],
    [
      'listed by an included setting',
      (name) => {
        workspace.write(`${name}/.git/more`, '[diff]\nautoRefreshIndex')
        git(name, 'config', 'include.path', 'more')
      },
    ],
  ])('but if it is %s', async (what, change) => {
    const name = `names ${what}`
    make(name)
    change(name)
    expect(await verdict(name, 'git diff --name-only | xargs cat')).toBe('ask')
  })
})
