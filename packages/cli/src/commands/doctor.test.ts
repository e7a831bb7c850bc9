import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startCommand } from '../../test/start-command.ts'
import { type Check, runChecks, type CheckContext } from '../doctor/check.ts'
import { lacks } from '../../../../tests/helpers/abilities.ts'

const folder = (): string => realpathSync(mkdtempSync(join(tmpdir(), 'toolglot-doctor-test-')))

interface Line {
  readonly name: string
  readonly status: string
  readonly says: string
  readonly advice?: string
}

async function doctor(env: Record<string, string> = {}, cwd = folder()) {
  const { code, output } = await startCommand(['doctor', '--json', '--cwd', cwd], { env })
  const lines = JSON.parse(output) as Line[]
  return { code, of: (name: string) => lines.filter((line) => line.name === name) }
}

test('reports what is there and what is missing, each by name', async () => {
  const { code, of } = await doctor({ PATH: process.env['PATH'] ?? '' })
  expect(code).toBe(0)
  expect(of('Node')).toMatchObject([{ status: 'ok', says: expect.stringContaining('v') as string }])
  expect(of('ripgrep')).toMatchObject([
    { status: 'ok', says: expect.stringMatching(/^ripgrep \d.*, \//) as string },
  ])
  expect(of('sandbox').length).toBeGreaterThan(0)
  // TypeScript's is installed in this repository.
  expect(of('language servers')).toMatchObject([
    { status: 'ok', says: expect.stringContaining('typescript') as string },
  ])
  expect(of('web search')).toMatchObject([
    { status: 'missing', advice: expect.stringContaining('SEARXNG_URL') as string },
  ])
  expect(of('temporary files')).toMatchObject([{ status: 'ok', says: tmpdir() }])
})

const missing = await lacks('bubblewrap')

test.skipIf(missing)('reports what commands see, and what was moved aside', async () => {
  const home = folder()
  const PATH = process.env['PATH'] ?? ''
  for (const name of ['.cargo/bin', '.ssh', '.config/toolglot'])
    mkdirSync(join(home, name), { recursive: true })
  const says = async (cwd = folder()): Promise<string> =>
    (await doctor({ HOME: home, PATH }, cwd))
      .of('sandbox')
      .map((line) => `${line.status}: ${line.says}`)
      .join('\n')
  expect(await says()).toMatch(
    /^ok: bubblewrap\. .+\nok: in your home folder, commands see only .*~\/\.cargo\/bin/,
  )
  expect(await says()).not.toMatch(/\.ssh|also|aside/)
  expect(await says(home)).toContain('warning: the workspace contains your home folder')
  const settings = (sandbox: object): void =>
    writeFileSync(join(home, '.config/toolglot/settings.json'), JSON.stringify({ sandbox }))
  settings({ read: ['~/.ssh', '/nope'] })
  expect(await says()).toContain('ok: commands can also read ~/.ssh, /nope (missing)')
  settings({ write: ['~'] })
  expect(await says(home)).toContain(
    'warning: commands can read and change everything in your home',
  )
  settings({ use: 'none' })
  expect(await says()).toBe('warning: turned off in your settings')
  const aside = join(home, '.local/state/toolglot/aside/1a2b3c4d')
  mkdirSync(aside, { recursive: true })
  const item = { path: '/x', at: join(aside, 'about.json'), why: 'runs in CI', time: 1 }
  writeFileSync(item.at, JSON.stringify(item))
  expect(await says()).toContain('warning: 1 file that a command created was moved aside')
})

test('does not take a file in the folder for git', async () => {
  const cwd = folder()
  writeFileSync(join(cwd, 'git'), '#!/bin/sh\necho mine\n')
  chmodSync(join(cwd, 'git'), 0o755)
  const { code, of } = await doctor({ PATH: `${cwd}:.` }, cwd)
  expect([code, of('git')]).toMatchObject([0, [{ status: 'missing' }]])
  expect(of('PATH')).toMatchObject([
    { status: 'warning', says: expect.stringContaining(`has ${cwd}, .: `) as string },
  ])
  expect((await doctor({ PATH: '/usr/bin' }, cwd)).of('PATH')).toMatchObject([{ status: 'ok' }])
})

test('reports a configured search engine, and one that cannot be used', async () => {
  expect((await doctor({ BRAVE_API_KEY: 'key' })).of('web search')).toMatchObject([
    { status: 'ok', says: expect.stringMatching(/brave/i) as string },
  ])
  expect((await doctor({ SEARXNG_URL: 'no address' })).of('web search')).toMatchObject([
    { status: 'warning' },
  ])
})

test('reports settings, their problems, and whether they are trusted', async () => {
  const cwd = folder()
  mkdirSync(join(cwd, '.toolglot'))
  const file = join(cwd, '.toolglot/settings.json')
  writeFileSync(file, '{"permissions": {"allow": ["Grep"], "alow": []}}')
  const { code, of } = await doctor({}, cwd)
  expect([code, of('settings')]).toMatchObject([
    0,
    [
      { status: 'ok', says: file },
      { status: 'warning', says: expect.stringContaining('alow') as string },
    ],
  ])
  expect(of('trust')).toMatchObject([
    { status: 'warning', advice: expect.stringContaining('toolglot trust') as string },
  ])
})

test('reports a state folder that others can read, and one that is not a folder', async () => {
  const home = folder()
  const state = join(home, '.local/state/toolglot')
  expect((await doctor({ HOME: home })).of('state')).toMatchObject([{ status: 'ok' }])
  mkdirSync(state, { recursive: true })
  chmodSync(state, 0o755)
  expect((await doctor({ HOME: home })).of('state')).toMatchObject([
    {
      status: 'warning',
      says: `${state}, mode 755`,
      advice: expect.stringContaining('chmod') as string,
    },
  ])
  const other = folder()
  mkdirSync(join(other, '.local/state'), { recursive: true })
  writeFileSync(join(other, '.local/state/toolglot'), '')
  const { code, of } = await doctor({ HOME: other })
  expect([code, of('state')]).toMatchObject([1, [{ status: 'broken' }]])
})

test('prints one line for each check, with advice below', async () => {
  const { output } = await startCommand(['doctor'], { env: { NO_COLOR: '1' } })
  expect(output).toMatch(/^ok +Node +v/)
  expect(output).toMatch(
    /\nmissing +web search +no search engine configured\n +To let models search/,
  )
  expect(output).toContain('no colors (NO_COLOR)')
})

test('reports a check that throws as broken, and runs the others', async () => {
  const checks: Check[] = [
    { name: 'one', run: () => Promise.reject(new Error('no')) },
    { name: 'two', run: () => ({ status: 'ok', says: 'yes' }) },
  ]
  expect(await runChecks(checks, {} as CheckContext)).toEqual([
    { name: 'one', status: 'broken', says: 'no' },
    { name: 'two', status: 'ok', says: 'yes' },
  ])
})

test('reports the model that would be used, or that its name is invalid', async () => {
  const named = await doctor({ TOOLGLOT_MODEL: 'ollama/qwen3:8b' })
  expect(named.of('model')).toMatchObject([
    { status: 'ok', says: expect.stringMatching(/^ollama\/qwen3:8b: .*TOOLGLOT_MODEL/) as string },
  ])
  const wrong = await doctor({ TOOLGLOT_MODEL: 'olama/qwen3:8b' })
  expect(wrong.code).toBe(1)
  expect(wrong.of('model')).toMatchObject([
    { status: 'broken', says: expect.stringContaining('did you mean ollama/') as string },
  ])
})

test('loads the tools and protocols that settings name', async () => {
  const HOME = folder()
  const config = join(HOME, '.config/toolglot')
  mkdirSync(config, { recursive: true })
  const write = (name: string, text: string): void => writeFileSync(join(config, name), text)
  expect((await doctor({ HOME })).of('own code')).toEqual([])

  const settings = { tools: ['~/.config/toolglot/tool.mjs'] }
  write('settings.json', JSON.stringify(settings))
  write(
    'tool.mjs',
    'export default { name: "ping", description: "", parameters: {}, execute() {} }',
  )
  expect((await doctor({ HOME })).of('own code')).toMatchObject([
    { status: 'ok', says: 'tools: ping' },
  ])

  write('broken.mjs', 'export const a = 1')
  write(
    'settings.json',
    JSON.stringify({ tools: ['~/.config/toolglot/broken.mjs'], protocols: ['~/nowhere.mjs'] }),
  )
  const { code, of } = await doctor({ HOME })
  expect(code).toBe(1)
  expect(of('own code')).toMatchObject([
    { status: 'broken', says: expect.stringContaining('broken.mjs') as string },
    { status: 'warning', says: expect.stringContaining('nowhere.mjs') as string },
  ])
})

test('reports tokens that others can read, and changes nothing', async () => {
  const HOME = folder()
  const state = join(HOME, '.local/state/toolglot')
  const file = join(state, 'tokens.json')
  const report = async (): Promise<unknown> => (await doctor({ HOME })).of('server')
  mkdirSync(state, { recursive: true, mode: 0o700 })
  expect(await report()).toMatchObject([{ status: 'ok' }])
  expect(existsSync(file)).toBe(false)
  const content = { version: 1, main: 'x'.repeat(43), tokens: [] }
  writeFileSync(file, JSON.stringify(content), { mode: 0o600 })
  expect(await report()).toMatchObject([{ status: 'ok' }])
  chmodSync(file, 0o644)
  expect(await report()).toMatchObject([
    { status: 'ok' },
    {
      status: 'warning',
      says: expect.stringContaining(`mode 644: others may have read`) as string,
    },
  ])
})

test('reports whether the server runs, and who else has its port', async () => {
  const HOME = folder()
  expect((await doctor({ HOME })).of('server')).toMatchObject([
    { status: 'ok', says: expect.stringContaining('never started') as string },
  ])
  let header = 'Bearer realm="toolglot"'
  const server = createServer((_, response) =>
    response.writeHead(401, { 'www-authenticate': header }).end(),
  ).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  onTestFinished(close)
  const { port } = server.address() as AddressInfo
  const state = join(HOME, '.local/state/toolglot')
  mkdirSync(state, { recursive: true, mode: 0o700 })
  writeFileSync(join(state, 'server.json'), JSON.stringify({ port }))
  const report = async (): Promise<unknown> => (await doctor({ HOME })).of('server')
  expect(await report()).toMatchObject([
    { status: 'ok', says: `running at http://127.0.0.1:${port}` },
  ])
  header = 'Basic'
  expect(await report()).toMatchObject([
    { status: 'warning', advice: expect.stringContaining('--port') as string },
  ])
  await close()
  expect(await report()).toMatchObject([
    { status: 'ok', says: expect.stringContaining(`port ${port}, which it used before, is free`) },
  ])
})
