import { chmodSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { folderOf } from '../../../../tests/helpers/folder.ts'
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

test('creates, lists and revokes additional tokens', async () => {
  const env = { HOME: folderOf() }
  const run = (...words: string[]) => startCommand(['token', ...words], { env })
  const created = await run('create', 'laptop')
  expect(created).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^\S{40,}\n$/) as string,
    errors: 'Save it now: it will not be shown again.\n',
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

test('uses TOOLGLOT_TOKEN as the token', async () => {
  const env = { HOME: folderOf(), TOOLGLOT_TOKEN: 'x'.repeat(40) }
  expect((await startCommand(['token'], { env })).output).toBe(`${env.TOOLGLOT_TOKEN}\n`)
  expect(await startCommand(['token', 'rotate'], { env })).toMatchObject({ code: 2 })
})

test.each([
  [['revoke', 'nobody'], 1, "No token named 'nobody'"],
  [['revoke', 'main'], 1, 'toolglot token rotate'],
  [['create', 'a b'], 2, 'letters, digits'],
  [['create', 'a', '--scope', 'root'], 2, 'gateway, metrics, all'],
  [['--link'], 1, 'Start one with: toolglot serve'],
])('%j', async (words, code, message) => {
  const result = await startCommand(['token', ...words], { env: { HOME: folderOf() } })
  expect(result).toMatchObject({ code, output: '', errors: expect.stringContaining(message) })
})

/**
 * A home with a remembered server port, where another server answers now: one of ours or a
 * different program.
 */
async function homeWithServer(headers: Record<string, string>): Promise<{
  readonly env: { readonly HOME: string }
  readonly url: string
  readonly stop: () => Promise<unknown>
}> {
  const server = createServer((_, response) => response.writeHead(401, headers).end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = (): Promise<unknown> => new Promise((resolve) => server.close(resolve))
  onTestFinished(() => void stop())
  const { port } = server.address() as { port: number }
  const HOME = folderOf({ '.local/state/toolglot/server.json': { port } })
  chmodSync(join(HOME, '.local/state/toolglot'), 0o700)
  return { env: { HOME }, url: `http://127.0.0.1:${port}`, stop }
}

const OURS = { 'www-authenticate': 'Bearer realm="toolglot"' }

test('--link prints a link only if a server accepts it', async () => {
  const { env, url, stop } = await homeWithServer(OURS)
  const link = await startCommand(['token', '--link'], { env })
  expect(link).toMatchObject({ code: 0, errors: '' })
  expect(link.output).toMatch(new RegExp(`^${url}/#login=\\S+\n$`))
  await stop()
  expect(await startCommand(['token', '--link'], { env })).toMatchObject({
    code: 1,
    output: '',
    errors: expect.stringMatching(
      /No server is running.* Start the server with toolglot serve/,
    ) as string,
  })
  const other = await homeWithServer({})
  expect(await startCommand(['token', '--link'], { env: other.env })).toMatchObject({
    code: 1,
    output: '',
    errors: expect.stringContaining('Another program answers') as string,
  })
})

test('every example works', async () => {
  const { env } = await homeWithServer(OURS)
  for (const { line } of tokenExamples) {
    const words = line
      .replace(/^export .*\$\((.*)\)"$/, '$1')
      .split(' ')
      .slice(1)
    expect({ line, ...(await startCommand(words, { env })) }).toMatchObject({ line, code: 0 })
  }
})
