import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { canonicalTools } from '@toolglot/permissions'
import { describe, expect, test, vi } from 'vitest'
import { countRunning } from '../../../../cli/test/still-runs.ts'
import { folderOf } from '../../../../../tests/helpers/folder.ts'
import { apiClient } from '../../../test/api-client.ts'
import { obedient } from '../../../test/obedient-model.ts'
import { runClient } from '../../../test/run-client.ts'
import { listMcpServers, restartMcpServers } from './mcp.ts'
import { explainCall } from './permit.ts'
import { listTools } from './tools.ts'
import { longTest } from '../../../../../tests/helpers/size.ts'

const script = fileURLToPath(
  new URL('../../../../tools/test/fixtures/mcp-server.js', import.meta.url),
)

/** The settings of a real MCP server that writes reports into this folder. */
function server(reports: string, more: object = {}): object {
  return { command: process.execPath, args: [script, reports], ...more }
}

function startsIn(reports: string): number {
  const log = join(reports, 'log')
  return existsSync(log) ? readFileSync(log, 'utf8').split('started').length - 1 : 0
}

/** Arguments of calls that cannot be the name of a file. */
const SAMPLES: Readonly<Record<string, object>> = {
  Bash: { command: 'make' },
  LSP: { operation: 'hover', filePath: 'a.txt', line: 1, character: 1 },
  WebFetch: { url: 'https://example.com/' },
}

describe('GET /api/tools', () => {
  test('lists the built-in tools with their properties', async () => {
    const { call, folder } = await apiClient()
    const { tools, ...rest } = await call(listTools)
    expect(rest).toEqual({ folder, warnings: [] })
    const find = (name: string) => tools.find((tool) => tool.name === name)
    expect(find('Read')).toMatchObject({
      from: 'built-in',
      level: 1,
      readOnly: true,
      dangerous: false,
      parameters: { type: 'object', properties: { file_path: { type: 'string' } } },
      aliases: expect.arrayContaining(['read_file']) as string[],
    })
    expect(find('Bash')).toMatchObject({ readOnly: false, idempotent: false })
    const asking = tools.flatMap(({ name, asks }) => (asks ? [name] : []))
    expect(asking.sort()).toEqual(['Bash', 'BashInput', 'Edit', 'WebFetch', 'WebSearch', 'Write'])
    expect(find('AskUserQuestion')).toMatchObject({ waits: true })
    expect(tools.every(({ description }) => description.length > 10)).toBe(true)
  })

  test('shows for each built-in tool if permissions require approval', async () => {
    const { call } = await apiClient({ files: { 'a.txt': 'text' } })
    const { tools } = await call(listTools)
    const builtIn = tools.filter(({ name }) => canonicalTools.has(name))
    expect(builtIn.length).toBeGreaterThan(10)
    for (const { name, asks } of builtIn) {
      const { required = [] } = canonicalTools.get(name)!
      const given = Object.fromEntries(required.map((key) => [key, 'a.txt']))
      const { decision } = await call(explainCall, {
        body: { tool: name, arguments: { ...given, ...SAMPLES[name] } },
      })
      expect([name, decision.verdict]).toEqual([name, asks ? 'ask' : 'allow'])
    }
  })

  test("lists the user's own tools of a trusted folder, and runs no code of an untrusted one", async () => {
    const marker = join(folderOf(), 'ran')
    const code = `import { writeFileSync } from 'node:fs'
      writeFileSync(${JSON.stringify(marker)}, '')
      export default { name: 'my_tool', description: 'Mine', parameters: { type: 'object' }, dangerous: true, execute: () => 1 }`
    const client = await apiClient({
      files: { 'mine.mjs': code },
      project: { tools: ['./mine.mjs'] },
    })
    const before = await client.call(listTools)
    expect(before.tools.some(({ name }) => name === 'my_tool')).toBe(false)
    expect(before.warnings).toEqual([expect.stringContaining('are not trusted')])
    expect(existsSync(marker)).toBe(false)

    await client.trust()
    const { tools } = await client.call(listTools)
    expect(tools.find(({ name }) => name === 'my_tool')).toMatchObject({
      from: 'own',
      dangerous: true,
    })
  })

  test('does not mix tools with the same names in two folders', async () => {
    const other = folderOf()
    const { call, folder } = await apiClient()
    const [here, there] = await Promise.all([
      call(listTools),
      call(listTools, { query: { folder: other } }),
    ])
    expect([here.folder, there.folder]).toEqual([folder, other])
  })

  test.each(['/no/such/folder', 'relative', '../..', '\u0000', '__proto__'])(
    '404 for the folder %j',
    async (folder) => {
      const { problem } = await apiClient()
      expect(await problem(listTools, { query: { folder } })).toMatchObject({
        code: 'folder_not_found',
        action: expect.stringContaining('/api/folders') as string,
      })
    },
  )

  test.each<Record<string, string>>([
    { folder: '' },
    { folder: `/${'a'.repeat(4096)}` },
    { other: 'x' },
    { ['__proto__']: 'x' },
  ])('400 for the query %j', async (query) => {
    const { problem } = await apiClient()
    expect(await problem(listTools, { query })).toMatchObject({
      code: 'invalid_request',
      action: expect.stringContaining('/api/openapi.json') as string,
    })
  })
})

describe('/api/mcp', () => {
  test('lists running and failed servers with the reasons, and shows no secret', async () => {
    const reports = folderOf()
    const secrets = ['hush-hush', 'sesame', 'sk-0123456789abcdefghij', 'in-the-query']
    const { send, call, home } = await apiClient({
      settings: {
        mcpServers: {
          works: server(reports, { env: { PASSPHRASE: 'hush-hush', OTHER: '${HOME}' } }),
          missing: { command: '/no/such/program', args: ['--key', 'sk-0123456789abcdefghij'] },
          away: { url: 'http://127.0.0.1:9/mcp?key=in-the-query', headers: { 'X-Key': 'sesame' } },
          off: { command: 'x', disabled: true },
        },
      },
    })
    const { servers } = await call(listMcpServers)
    const file = join(home, '.config/toolglot/settings.json')
    expect(servers).toMatchObject([
      {
        name: 'works',
        scope: 'user',
        file,
        line: expect.any(Number) as number,
        command: process.execPath,
        variables: ['PASSPHRASE', 'OTHER'],
        state: 'started',
        problems: [],
      },
      { name: 'missing', state: 'failed', problems: [expect.stringMatching(/\S/)], tools: [] },
      {
        name: 'away',
        url: 'http://127.0.0.1:9/mcp',
        headers: ['X-Key'],
        state: 'failed',
        problems: [expect.stringMatching(/\S/)],
      },
      { name: 'off', state: 'disabled', problems: [], tools: [] },
    ])
    expect(servers[0]!.tools).toContainEqual({
      name: 'mcp__works__echo',
      description: 'Says it again',
    })
    const text = await (await send(listMcpServers)).text()
    for (const secret of secrets) expect(text).not.toContain(secret)

    const { tools, warnings } = await call(listTools)
    expect(tools.find(({ name }) => name === 'mcp__works__echo')).toMatchObject({
      from: 'mcp',
      server: 'works',
    })
    expect([...warnings].sort()).toEqual([
      expect.stringContaining('the MCP server away'),
      expect.stringContaining('the MCP server missing'),
    ])
  })

  test('keeps servers open between requests, and restarts them on request', async () => {
    const reports = folderOf()
    const { call } = await apiClient({
      settings: { mcpServers: { one: server(reports) } },
    })
    await call(listMcpServers)
    await call(listTools)
    expect(startsIn(reports)).toBe(1)
    const { servers } = await call(restartMcpServers)
    expect([servers[0]?.state, startsIn(reports)]).toEqual(['started', 2])
  })

  longTest('also restarts the servers of idle runs and of subfolders', async () => {
    const reports = folderOf()
    const client = await runClient(obedient, {
      files: { 'inner/x': '' },
      settings: { mcpServers: { one: server(reports) } },
    })
    const inner = join(client.folder, 'inner')
    for (const folder of [client.folder, inner]) {
      const { run } = await client.start('Go.', { folder })
      await client.ended(run)
    }
    await client.call(listTools, { query: { folder: inner } })
    await vi.waitUntil(() => countRunning(reports) === 3, 20_000)
    await client.call(restartMcpServers)
    // The new server.
    expect([countRunning(reports), startsIn(reports)]).toEqual([1, 4])
  })

  test("shows a folder's servers, but starts them only if it is trusted", async () => {
    const reports = folderOf()
    const client = await apiClient({
      project: { mcpServers: { theirs: server(reports) } },
    })
    const { servers } = await client.call(restartMcpServers)
    expect(servers).toMatchObject([{ name: 'theirs', scope: 'project', state: 'untrusted' }])
    expect(startsIn(reports)).toBe(0)
    await client.trust()
    expect((await client.call(listMcpServers)).servers).toMatchObject([{ state: 'started' }])
    expect(startsIn(reports)).toBe(1)
  })
})
