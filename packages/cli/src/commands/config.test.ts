import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderOf } from '../../../../tests/helpers/folder.ts'
import { startCommand, type CommandResult } from '../../test/start-command.ts'

interface Place {
  readonly file: string
  readonly folder: string
  readonly run: (...words: string[]) => Promise<CommandResult>
}

const SETTINGS = '.config/toolglot/settings.json'

/** A home and a folder with these settings. */
function place({ own, project }: { own?: string; project?: string } = {}): Place {
  const HOME = folderOf(own === undefined ? {} : { [SETTINGS]: own })
  const folder = folderOf(project === undefined ? {} : { '.toolglot/settings.json': project })
  return {
    file: join(HOME, SETTINGS),
    folder,
    run: (...words) => startCommand(['config', ...words], { env: { HOME }, cwd: folder }),
  }
}

test('lists the possible settings if there are none', async () => {
  const { run, file } = place()
  const { code, output } = await run()
  expect(code).toBe(0)
  expect(output).toContain(`No settings yet. Yours go in ${file}:`)
  expect(output).toMatch(/^ {2}model +\S/m)
  expect(output).toMatch(/^ {2}permissions\.mode +/m)
})

test('lists the settings with their sources, and marks those not in effect', async () => {
  const { run, file } = place({
    own: '{\n"model": "ollama/a", "paidProviders": ["openai"]\n}',
    project: '{"model": "ollama/b", "permissions": {"deny": ["Read(.env)"], "allow": ["Read"]}}',
  })
  const { output } = await run()
  expect(output).toMatch(/^model +ollama\/b +project .*not in effect$/m)
  expect(output).toMatch(/^permissions\.deny +Read\(\.env\) +project +\S+settings\.json:1$/m)
  expect(output).toMatch(/^permissions\.allow +Read +project .*not in effect/m)
  expect(output).toContain(`${file}:2`)
  expect(JSON.parse((await run('--json')).output)).toContainEqual(
    expect.objectContaining({
      key: 'paidProviders',
      value: ['openai'],
      scope: 'user',
      counts: true,
    }),
  )
  expect((await run('get', 'model')).output).toBe('ollama/a\n')
})

test("a folder's settings cannot agree to models that cost money", async () => {
  const { run } = place({ project: '{"paidProviders": ["openai"]}' })
  const { errors } = await run()
  expect(errors).toContain('"paidProviders" is only read from your own settings')
})

test('get, set and unset keep comments', async () => {
  const { run, file } = place({ own: '{\n  // mine\n  "testCommand": "npm test"\n}\n' })
  expect(await run('get', 'model')).toMatchObject({ code: 1, output: '' })
  expect((await run('set', 'model', 'ollama/a')).output).toBe(`Set model in ${file}.\n`)
  await run('set', 'permissions.deny', 'Read(.env)', 'Bash(sudo:*)')
  await run('set', 'permissions.mode', 'plan')
  expect((await run('get', 'model')).output).toBe('ollama/a\n')
  expect((await run('get', 'permissions.mode')).output).toBe('plan\n')
  expect((await run('get', 'permissions.deny')).output).toBe('Read(.env)\nBash(sudo:*)\n')
  expect((await run('set', 'mcpServers', '{"a": {"command": "b"}}')).code).toBe(0)
  expect(JSON.parse((await run('get', 'mcpServers')).output)).toMatchObject({ a: {} })
  expect((await run('unset', 'model')).code).toBe(0)
  expect(await run('get', 'model')).toMatchObject({ code: 1 })
  expect(readFileSync(file, 'utf8')).toContain('// mine')
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('get, set and unset accept members of a setting', async () => {
  const { run, file } = place({ own: '{"limits": {"maxToolCalls": 7}}' })
  expect((await run('set', 'limits.maxIterations', '5')).output).toBe(
    `Set limits.maxIterations in ${file}.\n`,
  )
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    limits: { maxToolCalls: 7, maxIterations: 5 },
  })
  expect((await run('get', 'limits.maxIterations')).output).toBe('5\n')
  expect((await run('set', 'sandbox.read', '~/data', '~/more')).code).toBe(0)
  expect((await run('get', 'sandbox.read')).output).toBe('~/data\n~/more\n')
  expect((await run('unset', 'limits.maxIterations')).code).toBe(0)
  expect((await run('get', 'limits.maxIterations')).code).toBe(1)
  expect((await run('set', 'limits.maxIteration', '5')).errors).toContain(
    'Did you mean limits.maxIterations?',
  )
  expect((await run('set', 'limits.maxIterations', '0')).code).toBe(1)
})

const key = 'sk-abcdefghijklmnopqrstuvwx'
test.each([
  [['set', 'modle', 'a'], 2, 'Did you mean model?'],
  [['get', 'zzz'], 2, 'Known settings: permissions.allow'],
  [['set', 'permissions.mode', 'bypass'], 1, 'the mode must be one of'],
  [['set', 'mcpServers', '{'], 2, 'not valid JSON'],
  [
    ['set', 'mcpServers', JSON.stringify({ a: { command: 'b', env: { API_KEY: key } } })],
    1,
    'Put it in your environment',
  ],
  [['set', 'model', 'a', 'b'], 2, 'model takes one value, not 2'],
  [['set', 'openai.apiKey', key], 2, 'Put them in the environment'],
  [['set', 'OPENAI_API_KEY', key], 2, 'Put them in the environment'],
  [['set', 'model', key], 1, 'Put it in your environment'],
  [['set', 'testCommand', `curl -H "Bearer ${key}"`], 1, 'Put it in your environment'],
])('rejects %j', async (words, code, message) => {
  const { run, file } = place({ own: '{}' })
  const { errors, ...outcome } = await run(...words)
  expect(errors).toContain(message)
  expect(errors).not.toContain(key)
  expect(outcome).toMatchObject({ code, output: '' })
  expect(readFileSync(file, 'utf8')).toBe('{}')
})

test('does not overwrite broken settings', async () => {
  const { run, file } = place({ own: '{"model": ' })
  const { code, errors } = await run('set', 'model', 'ollama/a')
  expect(code).toBe(1)
  expect(errors).toContain('Fix that first')
  expect(readFileSync(file, 'utf8')).toBe('{"model": ')
})

test('prints the schema', async () => {
  const { output } = await place().run('schema')
  expect(JSON.parse(output)).toMatchObject({ properties: { model: {}, paidProviders: {} } })
})

test('sets how long runs are kept, as JSON', async () => {
  const { run, file } = place()
  expect((await run('set', 'retention', '{"days": 30}')).code).toBe(0)
  expect((await run('get', 'retention')).output).toBe('{"days":30}\n')
  expect((await run('set', 'retention', 'false')).code).toBe(0)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ retention: false })
  expect((await run('get', 'retention')).output).toBe('false\n')
  const { code, errors } = await run('set', 'retention', '{"days": 0}')
  expect(code).not.toBe(0)
  expect(errors).toContain('"days" must be a positive integer, not 0')
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ retention: false })
})

test('refuses an invalid rule, with which no tool would run', async () => {
  const { run } = place()
  const { code, errors } = await run('set', 'permissions.allow', 'Read', 'Bash(git')
  expect(code).toBe(1)
  expect(errors).toContain("Invalid rule 'Bash(git'")
  expect(errors).toContain('Nothing was changed')
  expect((await run('get', 'permissions.allow')).code).toBe(1)
})

test.each([
  ['context', '8192', '8192'],
  ['temperature', '0.2', '0.2'],
  ['thinking', 'false', 'false'],
  ['thinking', '"high"', 'high'],
  ['keepAlive', '30m', '30m'],
])('sets %s to %s', async (key, value, shown) => {
  const { run } = place()
  expect(await run('set', key, value)).toMatchObject({ code: 0, errors: '' })
  expect((await run('get', key)).output).toBe(`${shown}\n`)
})

test.each([
  ['context', '100', 'must be an integer from 512 to 16777216'],
  ['temperature', '3', 'must be a number from 0 to 2'],
  ['thinking', '"much"', 'must be true, false, "low", "medium" or "high"'],
  ['keepAlive', 'long', 'must be a time such as "10m"'],
])('does not set %s to %s', async (key, value, message) => {
  const { code, errors } = await place().run('set', key, value)
  expect(code).toBe(1)
  expect(errors).toContain(message)
})
