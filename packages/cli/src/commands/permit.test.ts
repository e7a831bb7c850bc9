import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startCommand, type Outcome } from '../../test/start-command.ts'

type Run = (...words: string[]) => Promise<Outcome>

function inRepository(settings: object, files: Record<string, string> = {}): Run {
  const home = realpathSync.native(mkdtempSync(join(tmpdir(), 'toolglot-')))
  onTestFinished(() => rmSync(home, { recursive: true }))
  const all = { 'repo/.toolglot/settings.json': JSON.stringify(settings, null, 1), ...files }
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(dirname(join(home, name)), { recursive: true })
    writeFileSync(join(home, name), text)
  }
  return (...words) => startCommand(words, { cwd: join(home, 'repo'), env: { HOME: home } })
}

const todo = ['permit', 'mcp__server__do', '{}', '--json']

test('a folder’s settings deny at once, and allow once it is trusted', async () => {
  const run = inRepository({
    permissions: { allow: ['mcp__server__*'], deny: ['mcp__other__*'], mode: 'acceptEdits' },
  })
  const before = await run(...todo)
  expect(JSON.parse(before.output)).toMatchObject({ decision: 'ask' })
  expect(before.errors).toContain('what they allow does not count. See toolglot trust')
  const denied = await run('permit', 'mcp__other__do', '{}', '--json')
  expect(JSON.parse(denied.output)).toMatchObject({ decision: 'deny' })

  await run('trust', '--yes')
  const after = await run(...todo)
  expect(JSON.parse(after.output)).toMatchObject({ decision: 'allow' })
  expect(after).toMatchObject({ code: 0, errors: '' })
})

test('the command line counts beside them', async () => {
  const run = inRepository({ permissions: { deny: ['mcp__server__*'] } })
  const { output } = await run(...todo, '--allow', 'mcp__server__*')
  expect(JSON.parse(output)).toMatchObject({ decision: 'deny' })
})

test('broken settings: everything is asked, and that is said with file and line', async () => {
  const run = inRepository({ permissions: { alow: [] } })
  const { output, errors } = await run(...todo, '--allow', 'mcp__server__*')
  expect(JSON.parse(output)).toMatchObject({ decision: 'ask' })
  expect(errors).toMatch(/settings\.json:3: there is no setting "alow": did you mean "allow"\?/)
  expect(errors).toContain('until that is mended, everything is asked')
})

test('rules in YAML, and those of Claude Code, where they are asked for', async () => {
  const permissions = { deny: ['mcp__server__*'], defaultMode: 'acceptEdits' }
  const run = inRepository(
    {},
    {
      'rules.yaml': 'permissions:\n  allow:\n    - mcp__server__*\n',
      'repo/.claude/settings.json': JSON.stringify({ model: 'any', permissions }),
    },
  )
  const decision = async (...words: string[]): Promise<unknown> =>
    (JSON.parse((await run(...todo, ...words)).output) as { decision: unknown }).decision
  expect(await decision()).toBe('ask')
  expect(await decision('--settings', '../rules.yaml')).toBe('allow')
  expect(await decision('--settings', '../rules.yaml', '--import-claude')).toBe('deny')
  expect(await decision('--settings', '../none.yaml', '--allow', 'mcp__server__*')).toBe('ask')
})
