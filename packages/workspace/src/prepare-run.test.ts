import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { memoryJournal } from '@toolglot/agent/journal'
import { expect, test, vi } from 'vitest'
import { folderOf } from '../../../tests/helpers/folder.ts'
import { stillRuns } from '../../cli/test/still-runs.ts'
import { prepareRun } from './prepare-run.ts'
import { openWorkspace } from './workspace.ts'

// A server has to start and to end.
vi.setConfig({ testTimeout: 30_000 })

const script = fileURLToPath(new URL('../../tools/test/fixtures/mcp-server.js', import.meta.url))

/** A workspace whose user has an MCP server. It reports in `log` that it started. */
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

test('what was opened is closed if the journal cannot be opened', async () => {
  const { workspace, log, started } = await withServer()
  const { state } = workspace.directories
  const startServer = (): boolean => {
    // A file in the place of the state folder.
    rmSync(state, { recursive: true })
    writeFileSync(state, '')
    return true
  }
  await expect(prepareRun(workspace, { startServer })).rejects.toThrow('a writable state folder')
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

test('a given journal is used, and not closed', async () => {
  const workspace = await openWorkspace(folderOf(), { env: { HOME: folderOf() } })
  let closed = false
  const open = { ...memoryJournal(), close: async () => void (closed = true) }
  const { journal, close } = await prepareRun(workspace, { journal: open })
  expect(journal).toBe(open)
  expect(existsSync(join(workspace.directories.state, 'journal.sqlite'))).toBe(false)
  await close()
  expect(closed).toBe(false)
})
