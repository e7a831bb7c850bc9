import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folderOf } from '../../../../tests/helpers/folder.ts'
import { type StartOptions, type CommandResult, startCommand } from '../../test/start-command.ts'

const settings = {
  permissions: {
    allow: ['Bash(git status)', 'Bash(echo \u001b[2J\u202ehidden)'],
    deny: ['Read(.env)'],
    roots: ['../other'],
  },
  protocols: ['./mine.mjs'],
  testCommand: 'make check',
}

/** A home with a repository in it, and a function that runs commands there. */
function setUp(files: Record<string, string> = {}): {
  repo: string
  run: (words: string[], more?: StartOptions) => Promise<CommandResult>
  store: () => { folders: { folder: string }[] }
} {
  const home = folderOf()
  const all = {
    'repo/.git/HEAD': '',
    'repo/.toolglot/settings.json': JSON.stringify(settings, null, 1),
    'repo/mine.mjs': '',
    'repo/sub/file': '',
    ...files,
  }
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(dirname(join(home, name)), { recursive: true })
    writeFileSync(join(home, name), text)
  }
  const repo = join(home, 'repo')
  return {
    repo,
    run: (words, more = {}) => startCommand(words, { cwd: repo, env: { HOME: home }, ...more }),
    store: () =>
      JSON.parse(readFileSync(join(home, '.config/toolglot/trust.json'), 'utf8')) as {
        folders: { folder: string }[]
      },
  }
}

test('shows what the settings would allow and where, and asks once', async () => {
  const { repo, run, store } = setUp()
  const { code, output } = await run(['trust'], { answer: 'y' })
  expect(code).toBe(0)
  expect(output).toContain(`Bash(git status) `)
  expect(output).toContain(`${repo}/.toolglot/settings.json:4`)
  expect(output).toMatch(/to the workspace:\n {2}\.\.\/other /)
  expect(output).toMatch(/loaded and run:\n {2}\.\/mine\.mjs /)
  expect(output).toMatch(/in any case:\n {2}Read\(\.env\) /)
  expect(output).toContain(`${repo} is trusted.`)
  expect(store().folders.map(({ folder }) => folder)).toEqual([repo])

  // The command does not ask a second time.
  expect(await run(['trust'])).toMatchObject({ code: 0 })
  expect(await run(['trust', 'sub'])).toMatchObject({ code: 0 })
})

test('shows the whole text of a rule', async () => {
  const { output } = await setUp().run(['trust', '--yes'])
  expect(output).toContain('Bash(echo \\x1b[2J\\u202ehidden)')
})

describe('trust is refused', () => {
  test.each<[name: string, words: string[], more: StartOptions, got: string]>([
    ['if the answer is no', ['trust'], { answer: 'n' }, 'is not trusted\n'],
    ['if the answer is empty', ['trust'], { answer: '' }, 'is not trusted\n'],
    ['if the answer is something else', ['trust'], { answer: 'yesterday' }, 'is not trusted\n'],
    ['without a terminal', ['trust'], {}, 'No terminal to confirm on'],
    ['through piped input', ['trust'], { input: 'y\n' }, 'No terminal to confirm on'],
    ['to a program', ['trust', '--json'], { answer: 'y' }, 'No terminal to confirm on'],
  ])('%s', async (_, words, more, got) => {
    const { run, store } = setUp()
    const { code, errors } = await run(words, more)
    expect({ code, errors }).toEqual({ code: 1, errors: expect.stringContaining(got) as string })
    expect(store).toThrow('ENOENT')
  })

  test('to invalid settings', async () => {
    const { run, repo, store } = setUp({
      'repo/.toolglot/settings.json': '{"permissions": {\n"alow": []}}',
    })
    const { code, errors } = await run(['trust', '--yes'])
    expect(code).toBe(1)
    expect(errors).toContain(
      `${repo}/.toolglot/settings.json:2: unknown setting "alow". Did you mean "allow"?`,
    )
    expect(store).toThrow('ENOENT')
  })

  test('to a folder that does not exist', async () => {
    const { run } = setUp()
    for (const path of ['none', 'mine.mjs'])
      expect(await run(['trust', path, '--yes'])).toMatchObject({ code: 1 })
  })
})

test('--json', async () => {
  const { repo, run } = setUp()
  const { code, output } = await run(['trust', '--yes', '--json'])
  const source = { scope: 'project', file: `${repo}/.toolglot/settings.json`, root: repo }
  expect(code).toBe(0)
  expect(JSON.parse(output)).toEqual({
    folder: repo,
    trust: 'trusted',
    offer: {
      allow: [
        { rule: 'Bash(git status)', ...source, line: 4 },
        { rule: 'Bash(echo \u001b[2J\u202ehidden)', ...source, line: 5 },
      ],
      roots: [{ path: '../other', ...source, line: 11 }],
      protocols: [{ path: './mine.mjs', ...source, line: 15 }],
      settings: [{ key: 'testCommand', value: 'make check', ...source, line: 17 }],
    },
  })
})

test('shows changed settings and asks again', async () => {
  const { repo, run } = setUp()
  await run(['trust', '--yes'])
  writeFileSync(join(repo, 'mine.mjs'), '// other code')
  expect(JSON.parse((await run(['trust', '--list', '--json'])).output)).toMatchObject([
    { folder: repo, trust: 'changed' },
  ])
  const { code, output } = await run(['trust'])
  expect(code).toBe(1)
  expect(output).toContain('Its settings have changed since you trusted this folder.')
})

test('--list and --revoke', async () => {
  const { repo, run } = setUp()
  expect((await run(['trust', '--list'])).output).toBe('No folder is trusted.\n')
  await run(['trust', '--yes'])
  expect((await run(['trust', '--list'])).output).toMatch(`${repo}  trusted  2`)

  const inner = await run(['trust', 'sub', '--revoke'])
  expect(inner.code).toBe(1)
  expect(inner.errors).toContain('because a parent folder is')
  expect(await run(['trust', '--revoke'])).toMatchObject({
    code: 0,
    output: `${repo} is no longer trusted.\n`,
  })
  expect(await run(['trust'])).toMatchObject({ code: 1 })
})

test('revokes a folder that no longer exists', async () => {
  const { repo, run } = setUp()
  await run(['trust', 'sub', '--yes'])
  rmSync(join(repo, 'sub'), { recursive: true })
  expect((await run(['trust', '--list'])).output).toContain('gone')
  expect(await run(['trust', 'sub', '--revoke'])).toMatchObject({ code: 0 })
  expect((await run(['trust', '--list'])).output).toBe('No folder is trusted.\n')
})

test('reports and keeps an unreadable list of trusted folders', async () => {
  const { run } = setUp({ '.config/toolglot/trust.json': '{' })
  const { code, errors } = await run(['trust', '--yes'])
  expect(code).toBe(1)
  expect(errors).toContain('trust.json is unusable')
})
