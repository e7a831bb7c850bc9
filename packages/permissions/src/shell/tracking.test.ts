import { execFileSync } from 'node:child_process'
import { afterAll, expect, test } from 'vitest'
import { rulesOf } from '../../test/rules.ts'
import { makeWorkspace } from '../../test/workspace.ts'
import { decide } from '../decide/decide.ts'
import type { FileSystemView } from '../decide/file-system.ts'
import { nodeFileSystem } from '../node/file-system.ts'
import type { Verdict } from '../rule/rule.ts'

const workspace = makeWorkspace()
const { cwd } = workspace
for (const path of ['a.json', 'setup.txt', 'own.py', 'package/__init__.py', 'scripts/b.py'])
  workspace.write(path)
execFileSync('git', ['init', '-q', cwd])
execFileSync('git', ['-C', cwd, 'add', '.'])
for (const path of ['notes.txt', 'new/a.py', 'clean/a.json']) workspace.write(path)
const folders = {
  'a new module': 'argparse.py',
  'a compiled one': 'argparse.pyc',
  'a library': 'json.so',
  'a package': 'json/__init__.py',
  'a compiled package': 'json/__init__.abi3.so',
}
const others = ['ok.py', 'app/__init__.py', 'jsonl.py', 'lib.so', 'argparse2.pyc']
for (const file of others) workspace.write(`others/${file}`)
workspace.write('others/a.json')
for (const [folder, file] of Object.entries(folders)) workspace.write(`${folder}/${file}`)
workspace.link('a link/re.py', '/somewhere')
workspace.link('a link to a package/re', `${cwd}/a package/json`)
afterAll(() => workspace.remove())

async function verdictOf(
  command: string,
  folder = '.',
  changes: Partial<FileSystemView> = {},
): Promise<Verdict> {
  const there = nodeFileSystem({ cwd: folder === '.' ? cwd : `${cwd}/${folder}` })
  const fileSystem = { ...there, ...changes }
  const modules = ['json.tool', 'mypy', 'pytest', 'http.server', 'json']
  const allow = [
    ...modules.map((name) => `Bash(python3 -m ${name}:*)`),
    ...['cat', 'curl', 'echo', 'head'].map((name) => `Bash(${name}:*)`),
    'WebFetch(domain:localhost)',
  ]
  const permissions = { rules: rulesOf({ allow }, cwd) }
  return (await decide({ name: 'Bash', args: { command } }, permissions, fileSystem)).verdict
}

test.each([...Object.keys(folders), 'a link', 'a link to a package'])(
  'Python may load %s in its folder in place of a module',
  async (folder) => {
    expect(await verdictOf('python3 -m json.tool a.json', folder)).toBe('ask')
    expect(await verdictOf('python3 -m mypy x', folder)).toBe('ask')
    // pytest always loads the files in the folder.
    expect(await verdictOf('python3 -m pytest', folder)).toBe('allow')
  },
)

test('json.tool loads only modules of the library', async () => {
  for (const command of [
    ...['python3 -m json.tool a.json', 'cat a.json | python3 -m json.tool'],
    ...['python3 -m json.tool < a.json', "python3 -m json.tool <<< '{}'"],
    ...['python3 -m json.tool <<x\n{}\nx', 'curl -s http://localhost/a | python3 -m json.tool'],
    ...["echo '{}' | python3 -m json.tool --sort-keys | head -5"],
  ])
    expect([command, await verdictOf(command, 'others')]).toEqual([command, 'allow'])
  for (const command of ['python3 -m mypy x', 'python3 -m http.server', 'python3 -m json'])
    expect(await verdictOf(command, 'others')).toBe('ask')
  for (const file of [
    'Argparse.py',
    '_json.abi3.so',
    're/__init__.py',
    'ORG.py',
    'org/__init__.py',
  ]) {
    const folder = `with ${file.replace('/', ' ')}`
    workspace.write(`${folder}/${file}`)
    expect(await verdictOf('python3 -m json.tool a.json', folder)).toBe('ask')
  }
})

test('tracked files, other files and folders, and files yet to be created are not loaded', async () => {
  expect(await verdictOf('python3 -m json.tool a.json')).toBe('allow')
  expect(await verdictOf('python3 -m json.tool a.json', 'clean')).toBe('allow')
  expect(await verdictOf('echo x > re.py; python3 -m json.tool a.json')).toBe('ask')
})

test('an unlistable folder may contain any module', async () => {
  const command = 'python3 -m json.tool a.json'
  workspace.write('app/json/a.py')
  expect(await verdictOf(command, 'app')).toBe('allow')
  for (const unlisted of ['app', 'app/json']) {
    const all = nodeFileSystem({ cwd: `${cwd}/app` })
    const only: FileSystemView['list'] = async (folder, options) =>
      folder === `${cwd}/${unlisted}` ? undefined : await all.list!(folder, options)
    expect(await verdictOf(command, 'app', { list: only })).toBe('ask')
  }
})
