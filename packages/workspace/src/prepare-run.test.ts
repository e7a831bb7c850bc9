import { existsSync, readFileSync, rmSync, writeFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { memoryJournal } from '@toolglot/agent/journal'
import { expect, test, vi } from 'vitest'
import { folderOf } from '../../../tests/helpers/folder.ts'
import { stillRuns } from '../../cli/test/still-runs.ts'
import { prepareRun, findInstructions } from './prepare-run.ts'
import { openWorkspace } from './workspace.ts'

// Starting and stopping a server takes time.
vi.setConfig({ testTimeout: 30_000 })

const script = fileURLToPath(new URL('../../tools/test/fixtures/mcp-server.js', import.meta.url))

/**
 * A workspace whose user has configured an MCP server. The server writes to `log` when it starts.
 */
async function withServer() {
  const log = folderOf()
  const home = folderOf({
    '.config/toolglot/settings.json': {
      mcpServers: { fix: { command: process.execPath, args: [script, log] } },
    },
  })
  const env = { HOME: home, PATH: process.env['PATH'] }
  const workspace = await openWorkspace(folderOf(), { env })
  return {
    workspace,
    log,
    started: () => existsSync(join(log, 'log')) && readFileSync(join(log, 'log'), 'utf8'),
  }
}

test('a run has the tools of MCP servers until it is closed', async () => {
  const { workspace, log } = await withServer()
  const { tools, close } = await prepareRun(workspace)
  expect([...tools.keys()]).toContain('mcp__fix__echo')
  expect(stillRuns(log)).toBe(true)
  await close()
  await vi.waitFor(() => expect(stillRuns(log)).toBe(false), 5000)
})

test('closes all opened resources if the journal cannot be opened', async () => {
  const { workspace, log, started } = await withServer()
  const { state } = workspace.directories
  const startServer = (): boolean => {
    // A file in place of the state folder.
    rmSync(state, { recursive: true })
    writeFileSync(state, '')
    return true
  }
  await expect(prepareRun(workspace, { startServer })).rejects.toThrow('is not writable')
  expect(started()).toContain('started')
  await vi.waitFor(() => expect(stillRuns(log)).toBe(false), 5000)
})

test('the journal is closed even if closing the tools fails', async () => {
  const workspace = await openWorkspace(folderOf(), { env: { HOME: folderOf() } })
  const { host, journal, close } = await prepareRun(workspace)
  const closeHost = host.close.bind(host)
  host.close = async () => {
    await closeHost()
    throw new Error('not today')
  }
  await expect(close()).rejects.toThrow('not today')
  await expect(journal.runs()).rejects.toThrow()
})

test('a given journal is used and not closed', async () => {
  const workspace = await openWorkspace(folderOf(), { env: { HOME: folderOf() } })
  let closed = false
  const open = { ...memoryJournal(), close: async () => void (closed = true) }
  const { journal, close } = await prepareRun(workspace, { journal: open })
  expect(journal).toBe(open)
  expect(existsSync(join(workspace.directories.state, 'journal.sqlite'))).toBe(false)
  await close()
  expect(closed).toBe(false)
})

test("includes the user's instructions, then the project's from its root down to the folder", () => {
  const home = folderOf({
    'config/instructions.md': 'mine',
    'AGENTS.md': 'outside',
    'repo/.git/HEAD': '',
    'repo/AGENTS.md': 'root',
    'repo/CLAUDE.md': 'another name for it',
    'repo/a/CLAUDE.md': '\ufeffa',
    'repo/a/.toolglot/instructions.md': 'own',
    'repo/a/b/x': '',
  })
  const found = findInstructions(join(home, 'repo/a/b'), {
    directories: { config: join(home, 'config') },
  })
  expect(found.files.map(({ scope, text }) => `${scope} ${text}`)).toEqual([
    ...['user mine', 'project root', 'project a', 'project own'],
  ])
  expect(found.problems).toEqual([])
})

test('searches only the folder itself without a repository', () => {
  const folder = folderOf({ 'AGENTS.md': 'above', 'a/AGENTS.md': 'here' })
  const { files } = findInstructions(join(folder, 'a'), { directories: { config: '/nowhere' } })
  expect(files.map(({ text }) => text)).toEqual(['here'])
})

test('invalid instruction files are reported', () => {
  const elsewhere = folderOf({ secret: 'secret' })
  const folder = folderOf({
    'a/AGENTS.md': new Uint8Array([0xff, 0xfe, 0xfd]),
    'b/AGENTS.md': 'x'.repeat((256 << 10) + 1),
    'c/AGENTS.md/x': '',
    'd/x': '',
  })
  symlinkSync(join(elsewhere, 'secret'), join(folder, 'd/AGENTS.md'))
  const problems = ['a', 'b', 'c', 'd'].flatMap((name) => {
    const found = findInstructions(join(folder, name), { directories: { config: '/nowhere' } })
    expect(found.files).toEqual([])
    return found.problems.map((problem) => problem.slice(folder.length))
  })
  expect(problems).toEqual([
    '/a/AGENTS.md: it is not UTF-8.',
    '/b/AGENTS.md: it is larger than 262144 bytes.',
    '/c/AGENTS.md: it is not a regular file.',
    '/d/AGENTS.md: it is a link that points outside of the project.',
  ])
})
