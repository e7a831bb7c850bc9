import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { fileURLToPath } from 'node:url'
import { countRunning } from '../../../../cli/test/still-runs.ts'
import { folderOf } from '../../../../../tests/helpers/folder.ts'
import { type ApiClient, apiClient } from '../../../test/api-client.ts'
import { obedient, write } from '../../../test/obedient-model.ts'
import { runClient } from '../../../test/run-client.ts'
import { showStatus } from './status.ts'
import { listTools } from './tools.ts'
import { listTrusted, revokeTrust, showTrust, trustFolder } from './trust.ts'
import { longTest } from '../../../../../tests/helpers/size.ts'

const script = fileURLToPath(
  new URL('../../../../tools/test/fixtures/mcp-server.js', import.meta.url),
)
const marker = (): string => join(folderOf(), 'ran')
const project = {
  model: 'ollama/theirs',
  tools: ['./mine.mjs'],
  protocols: ['./theirs.mjs'],
  mcpServers: { theirs: { command: './run-me', env: { LD_PRELOAD: './evil.so' } } },
  permissions: { allow: ['Bash(npm:*)'], deny: ['Bash(rm:*)'], roots: ['../other'] },
}

function codeThatTells(file: string): string {
  return `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(file)}, '')`
}

/** Trusts the settings currently shown. */
async function agree({ call, folder }: ApiClient): Promise<void> {
  const { digests } = await call(showTrust)
  await call(trustFolder, { body: { folder, digests } })
}

const settingsIn = (folder: string): string => join(folder, '.toolglot/settings.json')

describe('GET /api/trust', () => {
  test('shows all permissions and code in the settings, with file and line, without loading any code', async () => {
    const ran = marker()
    const code = codeThatTells(ran)
    const { call, folder } = await apiClient({
      files: { 'mine.mjs': code, 'theirs.mjs': code },
      project,
    })
    const place = { scope: 'project', file: settingsIn(folder), line: 1 }
    expect(await call(showTrust)).toEqual({
      folder,
      trust: 'untrusted',
      grantsNothing: false,
      rules: [{ rule: 'Bash(npm:*)', ...place }],
      roots: [{ path: '../other', ...place }],
      protocols: [{ path: './theirs.mjs', ...place }],
      values: [
        { key: 'model', value: 'ollama/theirs', ...place },
        { key: 'tools', value: ['./mine.mjs'], ...place },
        { key: 'mcpServers', value: project.mcpServers, ...place },
      ],
      restrictions: [{ rule: 'Bash(rm:*)', verdict: 'deny', ...place }],
      problems: [],
      digests: [expect.stringMatching(/^[0-9a-f]{64}$/)],
    })
    expect(existsSync(ran)).toBe(false)
  })

  test('hides no code that would run, regardless of its form', async () => {
    const command = '# -----BEGIN PRIVATE KEY-----\ntouch /tmp/x; API_KEY=aaaa|sh'
    const mcpServers = { docs: { command: 'sh', args: ['-c', command] } }
    const { call } = await apiClient({ project: { mcpServers, testCommand: command } })
    const { values } = await call(showTrust)
    const shown = Object.fromEntries(values.map(({ key, value }) => [key, value]))
    expect(shown).toMatchObject({ mcpServers, testCommand: command })
  })

  test('a folder without settings grants nothing', async () => {
    const { call } = await apiClient()
    expect(await call(showTrust)).toMatchObject({ trust: 'untrusted', grantsNothing: true })
  })
})

describe('POST /api/trust', () => {
  test('trusts exactly the settings that were shown', async () => {
    const client = await apiClient({ project: { model: 'ollama/theirs' } })
    const { call, folder } = client
    const { digests } = await call(showTrust)
    expect(await call(trustFolder, { body: { folder, digests } })).toMatchObject({
      folder,
      trust: 'trusted',
      trustedAt: folder,
      digests,
    })
    expect(await call(showStatus)).toMatchObject({ trust: 'trusted', warnings: [] })
    writeFileSync(settingsIn(folder), '{"model": "ollama/other"}')
    expect(await call(showStatus)).toMatchObject({ trust: 'changed' })
  })

  test.each<[string, (folder: string) => void]>([
    [
      'the settings',
      (folder) => writeFileSync(settingsIn(folder), '{"tools": ["./mine.mjs"], "model": "x"}'),
    ],
    ['the code that they name', (folder) => writeFileSync(join(folder, 'mine.mjs'), 'evil()')],
  ])('409 if %s changed after they were shown', async (_, change) => {
    const { call, problem, folder, home } = await apiClient({
      files: { 'mine.mjs': 'export {}' },
      project: { tools: ['./mine.mjs'] },
    })
    const { digests } = await call(showTrust)
    change(folder)
    expect(await problem(trustFolder, { body: { folder, digests } })).toMatchObject({
      status: 409,
      code: 'settings_changed',
      action: expect.stringContaining('GET /api/trust') as string,
    })
    expect(existsSync(join(home, '.config/toolglot/trust.json'))).toBe(false)
  })

  test('409 for invalid settings, with file and line', async () => {
    const { call, problem, folder } = await apiClient({ project: {} })
    writeFileSync(settingsIn(folder), '{\n  "permissions": {"allow": [5]}\n}')
    const { digests, problems } = await call(showTrust)
    expect(problems).toMatchObject([{ file: settingsIn(folder), line: 2 }])
    expect(await problem(trustFolder, { body: { folder, digests } })).toMatchObject({
      code: 'settings_invalid',
      detail: expect.stringContaining(`${settingsIn(folder)}:2`) as string,
    })
  })

  test('409 for a link, whose target may have changed', async () => {
    const { call, problem, home } = await apiClient()
    const real = folderOf()
    const link = join(home, 'link')
    symlinkSync(real, link)
    const { digests } = await call(showTrust, { query: { folder: link } })
    expect(await problem(trustFolder, { body: { folder: link, digests } })).toMatchObject({
      code: 'wrong_folder',
      detail: expect.stringContaining(real) as string,
    })
  })

  test('never trusts any folder but the given one', async () => {
    const client = await apiClient({ files: { 'inner/x': '' } })
    const inner = join(client.folder, 'inner')
    const { digests } = await client.call(showTrust, { query: { folder: inner } })
    await client.call(trustFolder, { body: { folder: inner, digests } })
    expect(await client.call(showTrust)).toMatchObject({ trust: 'untrusted' })
    expect(await client.call(listTrusted)).toMatchObject([{ folder: inner, trust: 'trusted' }])
  })

  test.each<[string, object]>([
    ['invalid_request', {}],
    ['invalid_request', { folder: '/tmp' }],
    ['invalid_request', { folder: '/tmp', digests: [] }],
    ['invalid_request', { digests: ['x'] }],
    ['invalid_request', { folder: '/tmp', digests: ['x'], yes: true }],
    ['folder_not_found', { folder: 'relative', digests: ['x'] }],
    ['folder_not_found', { folder: '/no/such/folder', digests: ['x'] }],
    ['folder_not_found', { folder: '/tmp\u0000', digests: ['x'] }],
  ])('%s for bad input (%#)', async (code, body) => {
    const { problem } = await apiClient()
    expect(await problem(trustFolder, { body })).toMatchObject({ code })
  })

  test('refuses digests other than the ones shown', async () => {
    const { call, problem, folder } = await apiClient({ project })
    const { digests } = await call(showTrust)
    for (const other of [['x'], ['__proto__'], [...digests, 'x'], ['x', ...digests]]) {
      expect(await problem(trustFolder, { body: { folder, digests: other } })).toMatchObject({
        code: 'settings_changed',
      })
    }
  })

  test('ignores a list of trusted folders that other users can write to', async () => {
    const { call, problem, folder, home } = await apiClient()
    const file = join(home, '.config/toolglot/trust.json')
    mkdirSync(join(home, '.config/toolglot'), { recursive: true })
    writeFileSync(file, '{"folders": []}')
    chmodSync(file, 0o666)
    const { digests } = await call(showTrust)
    expect(await problem(trustFolder, { body: { folder, digests } })).toMatchObject({
      code: 'unprocessable',
      detail: expect.stringContaining('Cannot change the list of trusted folders') as string,
    })
    expect(readFileSync(file, 'utf8')).toBe('{"folders": []}')
  })
})

describe('DELETE /api/trust', () => {
  test('stops trusting a folder and those inside it', async () => {
    const client = await apiClient({ files: { 'inner/x': '' } })
    const { call, folder, trust } = client
    await agree(client)
    await trust(join(folder, 'inner'))
    expect(await call(revokeTrust, { query: { folder } })).toEqual({
      folder,
      trust: 'untrusted',
      removed: [folder, join(folder, 'inner')],
    })
    expect(await call(listTrusted)).toEqual([])
    expect(await call(revokeTrust, { query: { folder } })).toMatchObject({ removed: [] })
  })

  longTest(
    "stops programs started with the folder's settings, even for idle runs; active runs keep theirs until they end",
    async () => {
      const reports = folderOf()
      const theirs = {
        mcpServers: { theirs: { command: process.execPath, args: [script, reports] } },
      }
      const client = await runClient(obedient, {
        files: { 'inner/.git/HEAD': '', 'inner/.toolglot/settings.json': theirs },
        project: theirs,
      })
      const inner = join(client.folder, 'inner')
      await client.trust()
      await client.trust(inner)
      for (const folder of [client.folder, inner]) {
        const { run } = await client.start('Go.', { folder })
        await client.ended(run)
        await client.call(listTools, { query: { folder } })
      }
      const { run } = await client.start(write('a.txt'))
      await client.waiting(run)
      expect(countRunning(reports)).toBe(5)
      await client.call(revokeTrust, { query: { folder: client.folder } })
      expect(countRunning(reports)).toBe(1)
      await client.approveAll(run)
      await client.ended(run)
      await vi.waitUntil(() => countRunning(reports) === 0, 20_000)
    },
  )

  test('reports that a parent is still trusted', async () => {
    const client = await apiClient({ files: { 'inner/x': '' } })
    await agree(client)
    const inner = join(client.folder, 'inner')
    expect(await client.call(revokeTrust, { query: { folder: inner } })).toEqual({
      folder: inner,
      trust: 'trusted',
      trustedAt: client.folder,
      removed: [],
    })
  })

  test('revokes a folder that no longer exists', async () => {
    const { call, trust } = await apiClient()
    const gone = folderOf()
    await trust(gone)
    rmSync(gone, { recursive: true })
    expect(await call(listTrusted)).toMatchObject([{ folder: gone, trust: 'gone' }])
    const answer = { folder: gone, trust: 'gone', removed: [gone] }
    expect(await call(revokeTrust, { query: { folder: gone } })).toEqual(answer)
  })

  test.each<Record<string, string>>([{}, { folder: '' }, { folder: 'relative' }, { folder: '.' }])(
    '400 for %j',
    async (query) => {
      const { problem } = await apiClient()
      expect(await problem(revokeTrust, { query })).toMatchObject({ code: 'invalid_request' })
    },
  )
})
