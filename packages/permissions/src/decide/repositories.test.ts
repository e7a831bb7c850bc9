import { afterAll, describe, expect, test } from 'vitest'
import { rulesOf } from '../../test/rules.ts'
import { makeWorkspace } from '../../test/workspace.ts'
import { nodeFileSystem } from '../node/file-system.ts'
import { decide } from './decide.ts'
import type { Verdict } from '../rule/rule.ts'

const workspace = makeWorkspace()
const { cwd, home } = workspace
for (const path of [
  ...['.env', '.git/HEAD', 'notes.txt', 'src/a.ts', 'sub/deep/x', 'sub/y.txt', 'out/old.txt'],
  ...['linked/x', 'evil/.git/config', 'evil/Makefile', 'vendor/lib/.git/config', 'vendor/x'],
])
  workspace.write(path)
workspace.link('linked/link', '../notes.txt')
workspace.link('alias', 'evil')
workspace.link('top', '.')
afterAll(() => workspace.remove())

const PROGRAMS = 'git cat make cargo npm npx pnpm yarn ls iconv zgrep xzgrep'
const allow = PROGRAMS.split(' ').map((name) => `Bash(${name}:*)`)

interface Where {
  readonly deny?: readonly string[]
  readonly start?: string
  readonly roots?: readonly string[]
}

async function verdictOf(
  command: string,
  { deny = [], start = cwd, roots = [cwd] }: Where = {},
): Promise<Verdict> {
  const fileSystem = nodeFileSystem({ cwd: start, home, roots })
  const call = { name: 'Bash', args: { command } }
  const { verdict } = await decide(call, { rules: rulesOf({ allow, deny }, cwd) }, fileSystem)
  return verdict
}

describe('moves by git', () => {
  test.each([
    'git mv .env x',
    'git mv -f -- .env out/x',
    'git mv notes.txt .env out',
    'git mv notes.txt .env',
  ])('%j is denied if reading .env is denied', async (command) => {
    expect(await verdictOf(command, { deny: ['Read(.env)'] })).toBe('deny')
  })

  test('a file that must not be changed is neither moved nor replaced', async () => {
    expect(await verdictOf('git mv notes.txt x', { deny: ['Edit(notes.txt)'] })).toBe('deny')
    expect(await verdictOf('git mv notes.txt out', { deny: ['Edit(out/notes.txt)'] })).toBe('deny')
    expect(await verdictOf('git mv sub/deep/ out/', { deny: ['Edit(out/deep)'] })).toBe('deny')
  })

  test.each(['Read(src/a.ts)', 'Edit(src/a.ts)', 'Read(.env)'])(
    'a folder that %s may partly cover needs approval',
    async (rule) => {
      expect(await verdictOf('git mv src lib', { deny: [rule] })).toBe('ask')
      expect(await verdictOf('git mv missing lib', { deny: ['Edit(missing/a.ts)'] })).toBe('ask')
    },
  )

  test.each([
    'git mv linked/link x',
    'git mv alias x',
    'git mv linked x',
    'git mv . out/x',
    'git mv notes.txt ../x',
    'cd sub/deep; git mv ../deep ../../deep; cat ../y.txt',
    '(cd sub/deep && cat ../y.txt) & git mv sub x',
    '(cd top/sub/deep && cat ../y.txt) & git mv sub x',
    '(cd sub/deep && <../y.txt) & git mv sub x',
  ])('%j needs approval', async (command) => {
    expect(await verdictOf(command)).toBe('ask')
  })

  test('other files and folders may be moved', async () => {
    for (const command of ['git mv notes.txt x', 'git mv notes.txt src/a.ts out'])
      expect(await verdictOf(command, { deny: ['Read(.env)', 'Edit(out/old.txt)'] })).toBe('allow')
    expect(await verdictOf('git mv src lib && cat notes.txt')).toBe('allow')
    expect(await verdictOf('(cd sub/deep && cat ../y.txt) & git mv src x')).toBe('allow')
  })
})

describe('the starting folder of a call', () => {
  test.each(['git status', 'make', 'cargo build', 'npm test', 'pnpm test', 'yarn test'])(
    '%j needs approval after `cd`, in the same call or in an earlier one',
    async (command) => {
      expect(await verdictOf(command)).toBe('allow')
      expect(await verdictOf(`cd evil && ${command}`)).toBe('ask')
      expect(await verdictOf(command, { start: `${cwd}/evil` })).toBe('ask')
      expect(await verdictOf(`timeout 5 ${command}`, { start: `${cwd}/evil` })).toBe('ask')
      expect(await verdictOf(command, { start: `${cwd}/alias` })).toBe('ask')
      expect(await verdictOf(command, { start: `${cwd}/missing` })).toBe('ask')
    },
  )

  test('trusts a root of the workspace with any path', async () => {
    expect(await verdictOf('git status', { start: `${cwd}/top` })).toBe('allow')
    expect(
      await verdictOf('git status', { start: `${cwd}/evil`, roots: [cwd, `${cwd}/evil`] }),
    ).toBe('allow')
  })

  test('a program without settings may run anywhere in the workspace', async () => {
    for (const command of ['ls', 'cat Makefile'])
      expect(await verdictOf(command, { start: `${cwd}/evil` })).toBe('allow')
  })
})

describe('nested repositories in the workspace', () => {
  test.each([
    'git add evil && git status',
    'git add evil',
    'git add -f ./evil/',
    'git add notes.txt vendor',
    'git add vendor/lib',
    'git add .',
    'git add -A && git commit -m x',
    "git add 'vend*'",
    'git add :/',
    'git add alias/',
  ])('%j needs approval: git would run with their settings', async (command) => {
    expect(await verdictOf(command)).toBe('ask')
  })

  test('other files may be added', async () => {
    expect(await verdictOf('git add notes.txt src && git status')).toBe('allow')
    expect(await verdictOf('git add new.txt sub/deep && git commit -m x')).toBe('allow')
  })
})

test.each(['iconv -f .env', 'iconv -t ./.env x', 'zgrep --regexp .env x', 'xzgrep -A .env x y'])(
  '%j is denied if reading .env is denied',
  async (command) => {
    expect(await verdictOf(command, { deny: ['Read(.env)'] })).toBe('deny')
  },
)
