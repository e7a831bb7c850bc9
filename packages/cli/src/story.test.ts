// Start here: a user's first hour with the command. The model is the built-in demo script; the rest
// is real.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { household } from '../test/household.ts'

const script = ['-m', 'script']

test('I paste a reply that my program did not understand, and see the call in it', async () => {
  const { start } = household()
  const input = 'Let me look.\n<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>'
  const { output } = await start(['parse'], { input })
  expect(output).toMatch(/^text +Let me look\.$/m)
  expect(output).toMatch(/^call +now {2}complete {2}hermes/m)
})

test('I ask about my files, and get the answer; the steps go to standard error', async () => {
  const { start } = household({ 'package.json': '{"version": "1.0.7"}' })
  const { output, errors } = await start(['run', ...script, 'What version is it?'])
  expect(output).toBe('The version in package.json is 1.0.7.\n')
  expect(errors).toContain('→ Read package.json')
})

test('It asks before it changes a file, and I can undo what it did', async () => {
  const { cwd, start } = household()
  const create = ['run', ...script, 'Create hello.txt and edit it']
  const { questions } = await start(create, { answer: 'n' })
  expect(questions?.length).toBeGreaterThan(0)
  expect(() => readFileSync(join(cwd, 'hello.txt'))).toThrow()
  await start(create, { answer: 'y' })
  expect(readFileSync(join(cwd, 'hello.txt'), 'utf8')).not.toBe('')
  expect((await start(['undo', 'last'])).output).toMatch(/^removed +\S+hello\.txt\n$/)
})

test('I see the code that could run before any of it does', async () => {
  const { start } = household()
  const permit = (command: string) =>
    start(['permit', 'Bash', JSON.stringify({ command }), '--allow', 'Bash(git:*)'])
  expect(await permit('git status')).toMatchObject({ code: 0 })
  const refused = await permit('git status && rm -rf /')
  expect(refused.code).not.toBe(0)
  expect(refused.output).toContain('rm -rf /')
})

test('Every run is recorded: I list it, show it again, and continue it', async () => {
  const { start } = household({ 'package.json': '{"version": "1.0.7"}' })
  await start(['run', ...script, 'What version is it?'])
  expect((await start(['runs'])).output).toContain('What version is it?')
  expect((await start(['replay', 'last'])).output).toContain('→ Read package.json')
  expect(await start(['run', ...script, '--resume', 'last', 'Find *.json'])).toMatchObject({
    code: 0,
    output: expect.stringContaining('package.json') as string,
  })
})
