import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test, vi } from 'vitest'
import { folderOf } from '../../../../tests/helpers/folder.ts'
import { spawnCommand } from '../../test/spawn-command.ts'
import { type StartOptions, type CommandResult, startCommand } from '../../test/start-command.ts'
import { longTest } from '../../../../tests/helpers/size.ts'

const script = fileURLToPath(new URL('../../../tools/test/fixtures/mcp-server.js', import.meta.url))

/** A home with a repository in it, whose settings contain a server that records its starts. */
function setUp(more: object = {}): {
  home: string
  run: (words: string[], more?: StartOptions) => Promise<CommandResult>
  started: () => number
} {
  const home = folderOf()
  const repo = join(home, 'repo')
  const fix = { command: process.execPath, args: [script, home] }
  const files = {
    'repo/.git/HEAD': '',
    'repo/sub/file': '',
    'repo/.toolglot/settings.json': JSON.stringify({ mcpServers: { fix, ...more } }),
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true })
    writeFileSync(join(home, name), text)
  }
  const env = { HOME: home, PATH: process.env['PATH'] ?? '' }
  const log = join(home, 'log')
  return {
    home,
    run: (words, given = {}) => startCommand(words, { cwd: repo, env, ...given }),
    started: () => (existsSync(log) ? readFileSync(log, 'utf8').split('started').length - 1 : 0),
  }
}

const echo = ['exec', 'mcp__fix__echo', '{"text": "hello"}', '--allow', 'mcp__fix']

test("does not start a folder's server until the folder is trusted", async () => {
  const { run, started } = setUp()
  const listed = await run(['tools'])
  expect(listed.output).not.toContain('mcp__fix')
  expect(listed.errors).toContain('are not trusted')
  expect(await run(echo)).toMatchObject({
    code: 1,
    errors: expect.stringContaining('Unknown tool') as string,
  })
  expect(started()).toBe(0)

  const shown = await run(['trust'], { answer: 'y' })
  expect(shown.output).toContain(script)
  expect((await run(['tools'])).output).toContain('mcp__fix__echo')
  expect(await run(echo)).toMatchObject({
    code: 0,
    output: expect.stringContaining('hello') as string,
  })
  expect(started()).toBe(2)
})

longTest('starts only the server of the called tool, and none for built-in tools', async () => {
  const { run, started } = setUp({ other: { command: 'no-such-program-here' } })
  await run(['trust', '--yes'])
  const called = await run(echo)
  expect(called).toMatchObject({ code: 0, errors: '' })
  await run(['exec', 'Glob', '{"pattern": "*"}'])
  await run(['tools', '--lint'])
  expect(started()).toBe(1)
  const listed = await run(['tools', '--json'])
  expect(listed).toMatchObject({ code: 0 })
  expect(listed.errors).toContain('the MCP server other: spawn no-such-program-here ENOENT')
  expect(listed.output).toContain('"mcp__fix__echo"')
})

test('asks about a tool whose description has changed', async () => {
  const { home, run } = setUp()
  await run(['trust', '--yes'])
  expect(await run(echo)).toMatchObject({ code: 0 })
  writeFileSync(join(home, 'description'), 'Says it twice')
  const changed = await run(echo)
  expect(changed.code).toBe(1)
  expect(changed.errors).toContain('its description changed since it was last allowed')
  const flags = await run(echo, { answer: 'y' })
  expect(flags).toMatchObject({
    code: 0,
    errors: expect.stringContaining('Says it twice') as string,
  })
  expect(await run(echo)).toMatchObject({ code: 0 })
})

test('kills a server that does not end', async () => {
  const { home, run } = setUp()
  const stubborn = `
    process.on('SIGTERM', () => {})
    setInterval(() => {}, 1000)
    require('node:fs').writeFileSync(${JSON.stringify(join(home, 'pid'))}, String(process.pid))`
  const servers = { slow: { command: process.execPath, args: ['-e', stubborn] } }
  writeFileSync(join(home, 'slow.json'), JSON.stringify({ mcpServers: servers }))
  await run(['trust', '--yes'])
  const words = ['exec', 'mcp__slow__any', '--settings', join(home, 'slow.json')]
  const command = spawnCommand(words, { HOME: home })
  command.stdin.end()
  const pid = await vi.waitFor(() => {
    const text = readFileSync(join(home, 'pid'), 'utf8')
    expect(text).not.toBe('')
    return Number(text)
  }, 20_000)
  const closed = once(command, 'close')
  command.kill('SIGTERM')
  await closed
  expect(() => process.kill(pid, 0)).toThrow('ESRCH')
})
