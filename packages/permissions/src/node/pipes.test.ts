import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { makeWorkspace } from '../../test/workspace.ts'
import { readRegularFile, readSmallFile, readTextFile } from './read-file.ts'
import { share } from '../../../../tests/helpers/size.ts'

const workspace = makeWorkspace()
const { cwd, home } = workspace
afterAll(() => workspace.remove())

const entry = fileURLToPath(new URL('../../dist/index.js', import.meta.url))

const RULES = { allow: ['Bash(*)', 'Write(./**)'], deny: ['Read(.env)'] }
const COMMANDS = [
  ...['git status', 'git diff', 'git diff --cached', 'git add .', 'git switch x'],
  ...['cat a.txt > b.txt', 'cd sub && npm test', 'git diff HEAD', 'git show'],
]

/** Decides on commands in folders and prints each finished one. */
const SCRIPT = `
  const [index, home, ...folders] = process.argv.slice(1)
  const { decide, readRules } = await import(index)
  const { nodeFileSystem } = await import(index.replace('index.js', 'node/index.js'))
  const rules = readRules(${JSON.stringify(RULES)})
  for (const cwd of folders) {
    for (const command of ${JSON.stringify(COMMANDS)})
      await decide({ name: 'Bash', args: { command } }, rules, nodeFileSystem({ cwd, home }))
    console.log(cwd)
  }
`

/** Decides in another process, since opening a pipe would block this one. */
function decidedIn(folders: readonly string[]): string[] {
  const words = ['--input-type=module', '-e', SCRIPT, entry, home, ...folders]
  const { stdout } = spawnSync('node', words, { encoding: 'utf8', timeout: 20_000 })
  return stdout.trim().split('\n')
}

const git = (folder: string, ...words: string[]): void =>
  void execFileSync('git', words, {
    cwd: folder,
    stdio: 'ignore',
    env: { ...process.env, HOME: home },
  })

/** Replaces a file with a pipe that has no writer. */
function makePipe(path: string): void {
  rmSync(path, { force: true, recursive: true })
  mkdirSync(dirname(path), { recursive: true })
  execFileSync('mkfifo', [path])
}

const FILES = [
  ...['.git', '.git/HEAD', '.git/config', '.git/config.worktree', '.git/commondir', '.git/index'],
  ...['.git/packed-refs', '.git/refs/heads/main', '.git/info/attributes', '.git/info/exclude'],
  ...['.git/gitdir', '.gitmodules', '.gitignore', '.gitattributes', '.env', 'sub/.git'],
  ...['.git/objects/info/alternates', '.git/info/grafts', '.git/objects/pack/x.idx'],
  ...['inner/.git', 'inner/.git/config', 'inner/.git/index', 'inner/.git/commondir'],
]

test('a pipe in place of a git file does not block a decision', { timeout: 60_000 }, () => {
  for (const file of ['a.txt', '.env', 'sub/package.json', 'inner/a.txt'])
    workspace.write(`plain/${file}`)
  for (const folder of [`${cwd}/plain/inner`, `${cwd}/plain`]) {
    git(folder, 'init', '-q', '-b', 'main')
    git(folder, 'add', '-A')
    git(folder, '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'one')
  }
  const folders = share(FILES, 2).map((path) => {
    const folder = `${cwd}/${path.replaceAll('/', '-')}`
    cpSync(`${cwd}/plain`, folder, { recursive: true })
    makePipe(`${folder}/${path}`)
    return folder
  })
  expect(decidedIn(folders)).toEqual(folders)
})

test('reads only regular files of limited size', () => {
  makePipe(`${cwd}/pipe`)
  workspace.write('small', 'abc')
  expect(readSmallFile(`${cwd}/small`)).toBe('abc')
  expect(readSmallFile(`${cwd}/missing`)).toBeUndefined()
  expect(() => readSmallFile(`${cwd}/small`, 2)).toThrow('larger than 2 bytes')
  for (const path of [`${cwd}/pipe`, '/dev/zero', cwd])
    expect(readRegularFile(path, 100)).toEqual({ reason: expect.any(String) })
})

test('a wrong size reported by the system does not matter', { skip: !existsSync('/proc') }, () => {
  const path = '/proc/cpuinfo'
  const size = readFileSync(path).length
  expect(readRegularFile(path, 10 * size)).toMatchObject({ status: { size: 0 } })
  expect(readSmallFile(path, 10 * size)).toHaveLength(size)
  expect(readRegularFile(path, size - 1)).toEqual({ reason: expect.stringContaining('larger') })
})

test('follows links unless told not to, and reports other encodings', () => {
  symlinkSync(`${cwd}/small`, `${cwd}/link`)
  writeFileSync(`${cwd}/latin`, Buffer.from([0xe4]))
  expect(readTextFile(`${cwd}/link`, 9)).toMatchObject({ text: 'abc' })
  const refused = readTextFile(`${cwd}/link`, 9, { followLinks: false })
  expect(refused).toEqual({ reason: 'it is a symbolic link' })
  expect(readTextFile(`${cwd}/latin`, 9)).toEqual({ reason: 'it is not UTF-8' })
})
