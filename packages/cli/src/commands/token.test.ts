import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderOf } from '../../../agent/test/folder.ts'
import { startCommand } from '../../test/start-command.ts'
import { tokenExamples } from '../show/examples.ts'

test('prints the same token each time, from a file that only the user can read', async () => {
  const env = { HOME: folderOf() }
  const first = await startCommand(['token'], { env })
  expect(first).toMatchObject({ code: 0, output: expect.stringMatching(/^\S{40,}\n$/), errors: '' })
  expect(await startCommand(['token'], { env })).toEqual(first)
  const file = join(env.HOME, '.local/state/toolglot/tokens.json')
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('tokens for others are created, listed and revoked', async () => {
  const env = { HOME: folderOf() }
  const run = (...words: string[]) => startCommand(['token', ...words], { env })
  const created = await run('create', 'laptop')
  expect(created).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^\S{40,}\n$/) as string,
    errors: 'Save it now: it is not shown again.\n',
  })
  await run('create', 'both', '--scope', 'gateway', 'metrics')
  expect((await run('list')).output).toMatch(
    /^main +all\nlaptop +gateway +\d{4}-\d\d-\d\d\nboth +gateway, metrics +\d{4}-\d\d-\d\d\n$/,
  )
  expect((await run('list')).output).not.toContain(created.output.trim())
  expect(await run('revoke', 'laptop')).toMatchObject({ code: 0 })
  expect((await run('list')).output).not.toContain('laptop')
})

test('rotate replaces the main token', async () => {
  const env = { HOME: folderOf() }
  const before = await startCommand(['token'], { env })
  const rotated = await startCommand(['token', 'rotate'], { env })
  expect(rotated.output).not.toBe(before.output)
  expect((await startCommand(['token'], { env })).output).toBe(rotated.output)
})

test('TOOLGLOT_TOKEN is the token', async () => {
  const env = { HOME: folderOf(), TOOLGLOT_TOKEN: 'x'.repeat(40) }
  expect((await startCommand(['token'], { env })).output).toBe(`${env.TOOLGLOT_TOKEN}\n`)
  expect(await startCommand(['token', 'rotate'], { env })).toMatchObject({ code: 2 })
})

test.each([
  [['revoke', 'nobody'], 1, "the name of a token, got 'nobody'"],
  [['revoke', 'main'], 1, 'toolglot token rotate'],
  [['create', 'a b'], 2, 'letters, digits'],
  [['create', 'a', '--scope', 'root'], 2, 'gateway, metrics, all'],
  [['--link'], 1, 'start one: toolglot serve'],
])('%j', async (words, code, message) => {
  const result = await startCommand(['token', ...words], { env: { HOME: folderOf() } })
  expect(result).toMatchObject({ code, output: '', errors: expect.stringContaining(message) })
})

test('every example works', async () => {
  const env = { HOME: folderOf() }
  // A server was started before.
  mkdirSync(join(env.HOME, '.local/state/toolglot'), { recursive: true, mode: 0o700 })
  writeFileSync(join(env.HOME, '.local/state/toolglot/server.json'), '{"port": 4747}')
  for (const { line } of tokenExamples) {
    const words = line
      .replace(/^export .*\$\((.*)\)"$/, '$1')
      .split(' ')
      .slice(1)
    expect({ line, ...(await startCommand(words, { env })) }).toMatchObject({ line, code: 0 })
  }
})
