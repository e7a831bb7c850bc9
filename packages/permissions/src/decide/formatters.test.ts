import { afterAll, describe, expect, test } from 'vitest'
import { rulesOf } from '../../test/rules.ts'
import { makeWorkspace } from '../../test/workspace.ts'
import { nodeFileSystem } from '../node/file-system.ts'
import type { Verdict } from '../rule/rule.ts'
import { decide } from './decide.ts'

const workspace = makeWorkspace()
const { cwd } = workspace
for (const name of ['a.py', 'a.js', 'a.rs', 'a.go', 'a.rb', 'a.css', 'a.md', 'a.c']) {
  workspace.write(`src/${name}`)
  workspace.write(`other/${name}`)
}
workspace.write('other/conftest.py')
afterAll(() => workspace.remove())

const fileSystem = nodeFileSystem({ cwd, home: workspace.home })

async function verdictOf(command: string, deny: readonly string[] = []): Promise<Verdict> {
  const allow = [`Bash(${command.split(' ')[0]}:*)`, 'Write(./**)']
  const permissions = { rules: rulesOf({ allow, deny }, cwd) }
  return (await decide({ name: 'Bash', args: { command } }, permissions, fileSystem)).verdict
}

const FORMATTERS = [
  ['black', 'a.py'],
  ['isort', 'a.py'],
  ['ruff format', 'a.py'],
  ['ruff check --fix', 'a.py'],
  ['biome check --write', 'a.js'],
  ['oxlint --fix', 'a.js'],
  ['oxfmt', 'a.js'],
  ['eslint --fix', 'a.js'],
  ['prettier --write', 'a.js'],
  ['stylelint --fix', 'a.css'],
  ['markdownlint --fix', 'a.md'],
  ['dprint fmt', 'a.js'],
  ['rubocop -a', 'a.rb'],
  ['clang-format -i', 'a.c'],
  ['gofmt -w', 'a.go'],
  ['deno fmt', 'a.js'],
] as const

describe('writes of a formatter are denied if a rule denies them', () => {
  test.each(FORMATTERS)('%s %s', async (command, file) => {
    const deny = [`Write(src/${file})`]
    expect(await verdictOf(`${command} src/${file}`, deny)).toBe('deny')
    expect(await verdictOf(`${command} other/${file}`, deny)).toBe('allow')
    // The command would change all files in the folder.
    expect(await verdictOf(`${command} src`, deny)).toBe('ask')
    expect(await verdictOf(`${command} other`, deny)).toBe('allow')
  })

  test.each([
    ...['ruff format', 'ruff check --fix', 'biome check --write', 'oxlint --fix', 'oxfmt'],
    ...[
      'eslint --fix',
      'dprint fmt',
      'rubocop -a',
      'cargo fmt',
      'go fmt',
      'go fmt ./...',
      'deno fmt',
    ],
  ])('%s, which reads the whole folder', async (command) => {
    expect(await verdictOf(command)).toBe('allow')
    expect(await verdictOf(command, ['Write(src/*)'])).toBe('ask')
  })

  test.each([
    'black --check src',
    'ruff format --check',
    'oxfmt --check',
    'cargo fmt --check',
    'eslint',
  ])('%s writes no files', async (command) =>
    expect(await verdictOf(command, ['Write(src/*)'])).toBe('allow'),
  )
})

test('a formatter changes no protected file by name', async () => {
  expect(await verdictOf('black other/conftest.py')).toBe('ask')
  expect(await verdictOf('black --check other/conftest.py')).toBe('allow')
})

// Linters print lines of the files they find.
test.each([
  'eslint',
  'oxlint',
  'ruff check',
  'flake8 --show-source',
  'biome check',
  'rubocop',
  'pyright',
  'knip',
])('%s reads the whole folder', async (command) => {
  expect(await verdictOf(command)).toBe('allow')
  expect(await verdictOf(command, ['Read(src/**)'])).toBe('ask')
  expect(await verdictOf(`${command} --version`, ['Read(src/**)'])).toBe('allow')
})

describe('files imported by a type checker may be shown', () => {
  test.each([
    'mypy other/a.py',
    'mypy -m src.a',
    'mypy -p src',
    'pyright other/a.py',
    'pylint src.a',
    'dmypy run other/a.py',
  ])('%s needs approval if a rule denies reading a module of the workspace', async (command) => {
    expect(await verdictOf(command, ['Read(src/*.py)'])).toBe('ask')
    expect(await verdictOf(command, ['Read(src/*.js)'])).toBe('allow')
    expect(await verdictOf(command)).toBe('allow')
  })

  test('tsc needs no approval because of other commands or installed packages', async () => {
    workspace.write('node_modules/x/secret.js')
    expect(await verdictOf('tsc --noEmit', ['Read(src/*.js)'])).toBe('ask')
    expect(await verdictOf('tsc --noEmit', ['Read(.env)', 'Read(src/*.py)'])).toBe('allow')
    expect(await verdictOf('tsc --version', ['Read(src/*.js)'])).toBe('allow')
    expect(await verdictOf('tsc -b && tsc --noEmit', ['Read(.env)'])).toBe('allow')
  })
})

test('included and bundled files may be shown', async () => {
  // `#include ".env"`
  expect(await verdictOf('clang-tidy src/a.c')).toBe('ask')
  // `import text from '../src/a.js'`
  expect(await verdictOf('esbuild --bundle other/a.js', ['Read(src/*.js)'])).toBe('ask')
  expect(await verdictOf('esbuild --bundle other/a.js', ['Read(.env)'])).toBe('allow')
})

test('a linter needs no approval because of installed packages', async () => {
  for (let at = 0; at < 300; at++) workspace.write(`.venv/lib/${at}/a.py`)
  const few = { ...fileSystem, list: atMost(200) }
  const rules = rulesOf({ allow: ['Bash(ruff:*)'], deny: ['Read(.env)'] }, cwd)
  const verdict = async (command: string): Promise<Verdict> =>
    (await decide({ name: 'Bash', args: { command } }, { rules }, few)).verdict
  expect(await verdict('ruff check')).toBe('allow')
  expect(await verdict('ruff check .')).toBe('ask')
})

/** Lists only folders with up to this many entries. */
function atMost(most: number): NonNullable<typeof fileSystem.list> {
  return (folder, options) => fileSystem.list!(folder, { ...options, most })
}
