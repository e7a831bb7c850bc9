import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folderOf, sharedFolderOf } from '../../../../tests/helpers/folder.ts'
import { startCommand } from '../../test/start-command.ts'

const cwd = sharedFolderOf({ 'notes.txt': 'one\ntwo\n' })
const home = sharedFolderOf()

const run = (tool: string, args: object, ...words: string[]) =>
  startCommand(['exec', tool, JSON.stringify(args), '--cwd', cwd, ...words], {
    env: { HOME: home, PATH: process.env['PATH'] ?? '' },
  })

test('reads a file as a model would', async () => {
  const { code, output } = await run('Read', { file_path: 'notes.txt' })
  expect([code, output]).toEqual([0, expect.stringContaining('     1\tone\n     2\ttwo')])
})

test('runs a command that a rule allows, and exits with its code', async () => {
  const call = { command: 'echo hi; exit 3' }
  expect(await run('Bash', call, '--allow', 'Bash(echo:*)')).toMatchObject({
    code: 3,
    output: 'hi\n',
  })
})

test.each([
  ['{"command":"echo a","command":"echo b"}', 'command'],
  ['{"command":"echo a","\\u0063ommand":"echo b"}', 'command'],
  ['{"command":"echo a","x":[{"y":1,"y":2}]}', 'y'],
])('refuses and reports a duplicate key: %s', async (args, key) => {
  const words = ['exec', 'Bash', args, '--cwd', cwd, '--allow', 'Bash(echo:*)']
  const env = { HOME: home, PATH: process.env['PATH'] ?? '' }
  const plain = await startCommand(words, { env })
  expect(plain).toMatchObject({ code: 1, output: '' })
  expect(plain.errors).toMatch(new RegExp(`^invalid_input: The key "${key}" appears twice`))
  const { code, output } = await startCommand([...words, '--json'], { env })
  expect(code).toBe(1)
  expect(JSON.parse(output)).toMatchObject({
    status: 'error',
    failure: { error_type: 'invalid_input', details: { code: 'duplicate_key' } },
  })
})

test('does not run a call without a rule if there is no user to ask', async () => {
  const { code, errors } = await run('Write', { file_path: 'new.txt', content: 'x' })
  expect([code, errors]).toEqual([1, expect.stringContaining('permission_denied')])
  expect(() => readFileSync(join(cwd, 'new.txt'))).toThrow()
})

test('accepts the aliases of tools', async () => {
  expect(await run('read_file', { path: 'notes.txt' })).toMatchObject({ code: 0 })
})

test('searches skip unreadable files', async () => {
  writeFileSync(join(cwd, 'secret.key'), 'one\n')
  const { output } = await run('Grep', { pattern: 'one' }, '--deny', 'Read(*.key)')
  expect(output).toContain('notes.txt')
  expect(output).not.toContain('secret.key')
})

test('neither reads nor finds files denied by an ignore file, and reports the line', async () => {
  const folder = folderOf({
    'hidden.txt': 'one\n',
    'shown.txt': 'one\n',
    '.aiignore': '# keep out\nhidden.*\n',
  })
  const call = (...words: string[]) =>
    startCommand([...words, '--cwd', folder], { env: { HOME: home } })
  const { code, output } = await call('permit', 'Read', '{"file_path": "hidden.txt"}')
  expect([code, output]).toEqual([1, expect.stringContaining('.aiignore:2')])
  expect((await call('exec', 'Read', '{"file_path": "hidden.txt"}')).code).toBe(1)
  for (const [tool, pattern] of [
    ['Glob', '*'],
    ['Grep', 'one'],
  ] as const) {
    const found = await call('exec', tool, JSON.stringify({ pattern }))
    expect(found.output).toContain('shown.txt')
    expect(found.output).not.toContain('hidden.txt')
  }
})

test('prints a result and a failure as JSON', async () => {
  const good = await run('Glob', { pattern: '*.txt' }, '--json')
  expect(JSON.parse(good.output)).toMatchObject({ status: 'success', result: { count: 1 } })
  const bad = await run('Read', { file_path: 'note.txt' }, '--json')
  expect(bad.code).toBe(1)
  expect(JSON.parse(bad.output)).toMatchObject({
    status: 'error',
    failure: { error_type: 'not_found', message: expect.stringContaining('notes.txt') as string },
  })
})

test("run_tests runs the user's test command, and ignores that of an untrusted folder", async () => {
  const args = ['--allow', 'Bash(echo:*)']
  mkdirSync(join(cwd, '.toolglot'), { recursive: true })
  writeFileSync(join(cwd, '.toolglot/settings.json'), '{"testCommand": "echo theirs"}')
  expect((await run('run_tests', {}, ...args)).errors).toContain('"testCommand" in the settings')
  mkdirSync(join(home, '.config/toolglot'), { recursive: true })
  writeFileSync(join(home, '.config/toolglot/settings.json'), '{"testCommand": "echo mine"}')
  const { output } = await run('run_tests', {}, ...args, '--json')
  expect(JSON.parse(output)).toMatchObject({ result: { success: true, result: 'mine' } })
  const permit = await startCommand(['permit', 'run_tests', '--cwd', cwd, ...args], {
    env: { HOME: home },
  })
  expect([permit.code, permit.output]).toEqual([0, expect.stringContaining('echo mine')])
})

test('shows the output of a command and notes about its end', async () => {
  const call = { command: 'echo hi; sleep 20', timeout: 1500 }
  const rules = ['--allow', 'Bash(echo:*)', '--allow', 'Bash(sleep:*)']
  const { code, output, errors } = await run('Bash', call, ...rules)
  expect([code, output]).toEqual([124, 'hi\n'])
  expect(errors).toContain('took longer than 1500 ms')
  expect(errors).not.toContain('left running')
})

test('stops background commands, and reports them', async () => {
  const call = { command: 'sleep 60', run_in_background: true }
  const { errors } = await run('Bash', call, '--allow', 'Bash(sleep:*)')
  expect(errors).toContain('bash_1 and its child processes are stopped now')
})

test('shows the rule that would allow a call if there is no user to ask', async () => {
  const { errors } = await run('Write', { file_path: "it's.txt", content: 'x' })
  expect(errors).toContain(`--allow 'Edit(/${cwd}/it'\\''s.txt)'`)
  expect((await run('Bash', { command: 'rm -rf /' })).errors).not.toContain('--allow')
})

test('does not replace an unread file, and gives advice', async () => {
  const call = { file_path: 'notes.txt', content: 'x' }
  const { errors } = await run('Write', call, '--mode', 'acceptEdits')
  expect(errors).toContain('has not been read in this conversation')
  expect(errors).toContain(
    'exec runs a single call, so no file has been read before: add --read-first',
  )
  expect(readFileSync(join(cwd, 'notes.txt'), 'utf8')).toBe('one\ntwo\n')
})

test('--read-first reads the file, so that it can be replaced', async () => {
  const text = (): string => readFileSync(join(cwd, 'old.txt'), 'utf8')
  const flags = ['--mode', 'acceptEdits', '--read-first']
  const write = { file_path: 'old.txt', content: 'a a' }
  expect(await run('Write', write, ...flags)).toMatchObject({ code: 0 })
  const edit = { file_path: 'old.txt', old_string: 'a', new_string: 'b', replace_all: true }
  const { errors } = await run('Edit', edit, '--mode', 'acceptEdits')
  expect(errors).toContain('add --read-first')
  expect(text()).toBe('a a')
  expect(await run('Edit', edit, ...flags)).toMatchObject({ code: 0 })
  expect(text()).toBe('b b')
  expect(await run('write_file', { path: 'old.txt', content: 'c' }, ...flags)).toMatchObject({
    code: 0,
  })
  expect(text()).toBe('c')
  const denied = await run('Write', write, ...flags, '--deny', 'Read(old.txt)')
  expect(denied).toMatchObject({ code: 1, errors: expect.stringContaining('permission_denied') })
  expect(text()).toBe('c')
  expect(await run('Bash', { command: 'ls' }, '--read-first')).toMatchObject({
    code: 2,
    errors: expect.stringContaining('--read-first requires a call with a file_path'),
  })
})

describe('a question', () => {
  const options = [
    { label: 'Tea', description: 'Green' },
    { label: 'Coffee', description: 'Black\u001b[2J' },
  ]
  const questions = [
    { question: 'What to drink?', header: 'Drink', options },
    { question: 'What to bring?', header: 'Bring', options, multiSelect: true },
  ]
  const answered = async (...answer: string[]) => {
    const words = ['exec', 'AskUserQuestion', JSON.stringify({ questions }), '--json']
    const { output, errors } = await startCommand(words, { env: { HOME: home }, answer })
    return { outcome: JSON.parse(output) as object, errors }
  }

  test('is asked at the keyboard, and answered with a choice or free text', async () => {
    const { outcome, errors } = await answered('1 2', '2', '1, 2')
    expect(outcome).toMatchObject({
      result: { answers: { 'What to drink?': 'Coffee', 'What to bring?': ['Tea', 'Coffee'] } },
    })
    expect(errors).toContain('What to drink?\n  1  Tea     Green\n  2  Coffee  Black\\x1b[2J\n')
    expect((await answered('cake', '3', 'a cup')).outcome).toMatchObject({
      result: { answers: { 'What to drink?': 'cake', 'What to bring?': ['a cup'] } },
    })
  })

  test('can remain unanswered', async () => {
    expect((await answered('1')).outcome).toMatchObject({
      failure: { error_type: 'permission_denied' },
    })
  })
})

test('refuses a disabled tool under every name, and lists it as disabled', async () => {
  const HOME = folderOf()
  const env = { HOME, PATH: process.env['PATH'] ?? '' }
  const set = ['config', 'set', 'toolToggles', '{"Read": false}']
  expect(await startCommand(set, { env })).toMatchObject({ code: 0 })
  for (const name of ['Read', 'read_file']) {
    const { code, errors } = await startCommand(['exec', name, '{}', '--cwd', cwd], { env })
    expect([code, errors]).toEqual([
      1,
      expect.stringContaining('Read is turned off by toolToggles'),
    ])
  }
  const refused = await startCommand(['exec', 'Read', '{}', '--json', '--cwd', cwd], { env })
  expect(JSON.parse(refused.output)).toMatchObject({
    failure: { error_type: 'not_found', details: { code: 'tool_disabled' } },
  })
  const { output } = await startCommand(['tools', '--cwd', cwd], { env })
  expect(output).toMatch(/Turned off\n +Read is turned off by toolToggles in/)
  expect(output).not.toContain('read_file')
  const json = await startCommand(['tools', '--json', '--cwd', cwd], { env })
  expect(json.output).not.toContain('"Read"')
})
