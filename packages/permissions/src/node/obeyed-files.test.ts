import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { rulesOf } from '../../test/rules.ts'
import { makeWorkspace } from '../../test/workspace.ts'
import { decide } from '../decide/decide.ts'
import { nodeFileSystem } from './file-system.ts'

const workspace = makeWorkspace()
const { cwd, home } = workspace
afterAll(() => workspace.remove())

const git = (folder: string, ...words: string[]): void =>
  void execFileSync('git', words, { cwd: `${cwd}/${folder}`, stdio: 'ignore' })

/** A repository with settings. */
function repository(name: string, settings: Readonly<Record<string, string>> = {}): void {
  workspace.write(`${name}/a.txt`)
  git('.', 'init', '-q', name)
  for (const [key, value] of Object.entries(settings)) git(name, 'config', key, value)
}

const verdictOf = async (name: string, args: object, folder: string): Promise<string> => {
  const allow = ['Write(./**)', 'Edit(./**)', 'Bash(mv:*)', 'Bash(cp:*)', 'Bash(touch:*)']
  const root = `${cwd}/${folder}`
  const view = nodeFileSystem({ cwd: root, home })
  return (await decide({ name, args: { ...args } }, { rules: rulesOf({ allow }, root) }, view))
    .verdict
}
const writing = (file: string, folder: string): Promise<string> =>
  verdictOf('Write', { file_path: file, content: '' }, folder)
const running = (command: string, folder: string): Promise<string> =>
  verdictOf('Bash', { command }, folder)

test('the folder of hooks in the settings is protected', async () => {
  repository('hooks', { 'core.hooksPath': 'tools/my hooks' })
  workspace.write('hooks/tools/my hooks/pre-commit')
  for (const file of ['tools/my hooks/pre-commit', 'tools/MY HOOKS/new', 'tools/my hooks/a/b'])
    expect(await writing(file, 'hooks')).toBe('ask')
  for (const command of ['touch "tools/my hooks/x"', 'mv tools old', 'cp a.txt tools/my\\ hooks'])
    expect(await running(command, 'hooks')).toBe('ask')
  for (const file of ['tools/other', 'src/index.ts'])
    expect(await writing(file, 'hooks')).toBe('allow')
  expect(await running('mv a.txt b.txt', 'hooks')).toBe('allow')
})

test.each([
  ['core.fsmonitor', './tools/watch.sh', 'tools/watch.sh'],
  ['filter.x.clean', 'python tools/clean.py %f', 'tools/clean.py'],
  ['diff.x.textconv', '"tools/show it.sh"', 'tools/show it.sh'],
  ['core.sshCommand', 'ssh -F tools/ssh.cfg', 'tools/ssh.cfg'],
  ['merge.x.driver', 'sh -c "./tools/merge %O"', 'tools/merge'],
  ['include.path', '../shared.gitsettings', 'shared.gitsettings'],
])('the files in %s are protected', async (key, value, file) => {
  repository(key, { [key]: value })
  expect(await writing(file, key)).toBe('ask')
  expect(await writing('tools/other.sh', key)).toBe('allow')
})

test('does not protect branch names in settings', () => {
  repository('branches', {
    'branch.main.merge': 'refs/heads/main',
    'remote.origin.fetch': '+refs/heads/main:refs/remotes/origin/main',
  })
  for (const file of ['refs/heads/main', 'refs/remotes/origin/main'])
    workspace.write(`branches/.git/${file}`)
  const obeyed = nodeFileSystem({ cwd, home }).obeyedByGit?.(`${cwd}/branches`)
  expect(obeyed?.filter((path) => path.includes('refs'))).toEqual([])
})

test.each(['XDG_CONFIG_HOME', 'GIT_CONFIG_GLOBAL'])(
  "files in the user's own settings are protected, wherever %s puts these settings",
  async (variable) => {
    repository(variable)
    workspace.write('own/git/config', '[core]\n\thooksPath = tools\n')
    vi.stubEnv(variable, `${cwd}/own${variable.startsWith('GIT') ? '/git/config' : ''}`)
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(await writing('tools/pre-commit', variable)).toBe('ask')
  },
)

test('files in an included file are protected, as are targets of links', async () => {
  repository('included', { 'include.path': '../settings/more' })
  workspace.write('included/settings/more', '[core] hooksPath = linked\n')
  workspace.write('included/real/pre-commit')
  workspace.link('included/linked', 'real')
  for (const file of ['settings/more', 'linked/pre-commit', 'real/pre-commit'])
    expect(await writing(file, 'included')).toBe('ask')
})

test("files in the user's own settings are protected inside the repository", async () => {
  repository('own')
  vi.stubEnv('HOME', home)
  onTestFinished(() => void vi.unstubAllEnvs())
  writeFileSync(`${home}/.gitconfig`, '[core]\n\thooksPath = checks\n')
  onTestFinished(() => rmSync(`${home}/.gitconfig`))
  expect(await writing('checks/pre-commit', 'own')).toBe('ask')
  expect(await writing('src/a.ts', 'own')).toBe('allow')
})

test('does not protect settings with files that git only reads, nor plain settings', async () => {
  repository('plain', {
    'blame.ignoreRevsFile': '.git-blame-ignore-revs',
    'commit.template': 'template.txt',
    'user.name': 'A. Author',
    'alias.lint': '!npm run lint src/index.ts',
    'diff.tool': 'src/',
  })
  workspace.write('plain/src/index.ts')
  for (const file of ['.git-blame-ignore-revs', 'template.txt', 'src/index.ts', 'main', 'true'])
    expect(await writing(file, 'plain')).toBe('allow')
})

test('a linked working tree has the settings of its repository', async () => {
  repository('main', { 'core.hooksPath': 'scripts/hooks' })
  git('main', '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', '1', '--allow-empty')
  git('main', 'worktree', 'add', '-q', '../linked')
  expect(await writing('scripts/hooks/pre-commit', 'linked')).toBe('ask')
  expect(await writing('scripts/other', 'linked')).toBe('allow')
})

test('assumes that settings that are too long or endless contain any value', async () => {
  repository('long')
  workspace.write('long/.git/config', `[user]\nname = ${'a'.repeat(200_000)}\n`)
  expect(await writing('a.txt', 'long')).toBe('ask')
  repository('many')
  const many = Array.from({ length: 100 }, (_, at) => `[include]\npath = ../file${at}\n`).join('')
  workspace.write('many/.git/config', many)
  expect(await writing('a.txt', 'many')).toBe('ask')
})
