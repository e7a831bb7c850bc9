import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import type { CallToolResult, Progress } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { folderOf, sharedFolderOf } from '../../../../tests/helpers/folder.ts'
import {
  connect,
  type Connection,
  HOME,
  spawnMcp,
  type StartedHttp,
  startHttp,
  stopServers,
} from '../../test/mcp-client.ts'
import { startCommand } from '../../test/start-command.ts'
import { longDescribe, longTest, share } from '../../../../tests/helpers/size.ts'

// Each test starts one or two processes.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 })

const cwd = sharedFolderOf()
writeFileSync(join(cwd, 'notes.txt'), 'one\ntwo\n')
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
writeFileSync(join(cwd, 'pixel.png'), Buffer.from(pixel, 'base64'))
afterAll(() => stopServers())

const words = ['--cwd', cwd, '--allow', 'Bash(echo:*)', '--allow', 'Bash(sleep:*)']

const ways = (['stdio', 'http'] as const).flatMap((over) =>
  (['legacy', 'auto'] as const).map((era) => ({ over, era })),
)

describe.each(share(ways, 9))('over $over, $era', ({ over, era }) => {
  let connection: Connection
  beforeAll(async () => {
    connection = await connect({ over, era, words })
  })
  afterAll(() => connection.close())
  const call = (name: string, args: Record<string, unknown>): Promise<CallToolResult> =>
    connection.client.callTool({ name, arguments: args })

  test('negotiates the protocol version', () => {
    const version = connection.client.getNegotiatedProtocolVersion()
    expect(version?.startsWith(era === 'auto' ? '2026' : '2025')).toBe(true)
  })

  test('lists the tools with their parameters', async () => {
    const { tools } = await connection.client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['Read', 'Write', 'Edit', 'Glob', 'Grep', 'Bash']),
    )
    expect(tools.map(({ name }) => name)).not.toContain('AskUserQuestion')
    expect(tools.find(({ name }) => name === 'Read')).toMatchObject({
      inputSchema: { type: 'object', required: ['file_path'], additionalProperties: false },
      annotations: { readOnlyHint: true },
    })
    expect(tools.find(({ name }) => name === 'Bash')?.annotations?.readOnlyHint).toBe(false)
  })

  test('reads a file, as text and as structured data', async () => {
    const result = await call('Read', { file_path: 'notes.txt' })
    expect(result.isError).toBeFalsy()
    expect(textOf(result)).toContain('     1\tone\n     2\ttwo')
    expect(result.structuredContent).toMatchObject({ total_lines: 2 })
  })

  test('returns an image as an image', async () => {
    const { content, structuredContent } = await call('Read', { file_path: 'pixel.png' })
    expect(content[1]).toEqual({ type: 'image', data: pixel, mimeType: 'image/png' })
    expect(JSON.stringify(structuredContent)).not.toContain(pixel)
  })

  test('does not run a call without a rule, and reports why', async () => {
    const result = await call('Bash', { command: 'touch made.txt' })
    expect(result.isError).toBe(true)
    expect(result.structuredContent).toMatchObject({
      tool: 'Bash',
      error_type: 'permission_denied',
    })
    expect(textOf(result)).toMatch(/^permission_denied: .*nobody to ask.*touch/s)
    expect(existsSync(join(cwd, 'made.txt'))).toBe(false)
  })

  test('runs allowed calls, and reports progress', async () => {
    const heard: Progress[] = []
    const result = await connection.client.callTool(
      { name: 'Bash', arguments: { command: 'echo first; sleep 0.4; echo second' } },
      { onprogress: (update) => heard.push(update) },
    )
    expect(textOf(result)).toBe('first\nsecond')
    expect(result.structuredContent).toMatchObject({ exit_code: 0, stdout: 'first\nsecond\n' })
    expect(heard[0]).toEqual({ progress: 1, message: 'first\n' })
  })

  test('ends a canceled command', async () => {
    const seconds = `${600 + Math.random()}`
    const stop = new AbortController()
    const running = connection.client.callTool(
      { name: 'Bash', arguments: { command: `echo begun; sleep ${seconds}` } },
      { signal: stop.signal, onprogress: () => stop.abort() },
    )
    await expect(running).rejects.toThrow()
    const isGone = (): void => expect(processes()).not.toContain(`sleep ${seconds}`)
    await vi.waitFor(isGone, { timeout: 8000, interval: 100 })
    expect(textOf(await call('Bash', { command: 'echo still there' }))).toBe('still there')
  })

  test('suggests a tool if the name is unknown', async () => {
    const result = await call('Raed', {})
    expect(result).toMatchObject({ isError: true, structuredContent: { error_type: 'not_found' } })
    expect(textOf(result)).toContain('Did you mean Read?')
  })

  test('rejects invalid arguments', async () => {
    const result = await call('Read', { file_path: 7, colour: 'red' })
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { error_type: 'invalid_input', details: { code: 'invalid_arguments' } },
    })
    expect(textOf(result)).toContain('file_path')
  })

  test('asks the user at the client, with the details', async () => {
    const questions: string[] = []
    const name = `asked-${over}-${era}.txt`
    const asking = await connect({
      over,
      era,
      words,
      answer: (question) => {
        questions.push(question)
        return questions.length === 1 ? 'decline' : 'accept'
      },
    })
    const write = { name: 'Write', arguments: { file_path: name, content: 'x\u202e\n' } }
    const first = await asking.client.callTool(write)
    expect(first).toMatchObject({
      isError: true,
      structuredContent: { error_type: 'permission_denied', details: { code: 'denied_by_user' } },
    })
    expect(existsSync(join(cwd, name))).toBe(false)
    const second = await asking.client.callTool(write)
    expect([textOf(second), second.isError ?? false]).toEqual([expect.any(String), false])
    expect(existsSync(join(cwd, name))).toBe(true)
    expect(questions).toHaveLength(2)
    expect(questions[0]).toContain('Run Write in ')
    expect(questions[0]).toContain(`"file_path": "${name}"`)
    expect(questions[0]).toContain('x\\u{202e}')
    await asking.close()
  })

  longTest("passes a model's questions to the user at the client", async () => {
    const flags: string[] = []
    const asking = await connect({
      over,
      era,
      words: [...words, '--ask', 'AskUserQuestion'],
      answer: (question) => {
        flags.push(question)
        if (question.startsWith('Run ')) return 'accept'
        return question.includes('database')
          ? { answer_1: 'Redis', answer_2: ['Auth'], other_2: 'Sound' }
          : 'decline'
      },
    })
    const { tools } = await asking.client.listTools()
    expect(tools.map(({ name }) => name)).toContain('AskUserQuestion')
    const option = (label: string): object => ({ label, description: `${label}\u202e.` })
    const questions = [
      { question: 'Which database?', header: 'Database', options: ['SQLite', 'Redis'].map(option) },
      {
        question: 'Which features?',
        header: 'Features',
        options: ['Auth', 'Search'].map(option),
        multiSelect: true,
      },
    ]
    const ask = (list: object[]): Promise<CallToolResult> =>
      asking.client.callTool({ name: 'AskUserQuestion', arguments: { questions: list } })
    expect((await ask(questions)).structuredContent).toEqual({
      answers: { 'Which database?': 'Redis', 'Which features?': ['Auth', 'Sound'] },
    })
    expect(flags[1]).toContain('- Redis: Redis\\u{202e}.')
    expect(flags).toHaveLength(2)
    expect(await ask([{ ...questions[0], question: 'Which colour?' }])).toMatchObject({
      isError: true,
      structuredContent: { details: { code: 'denied_by_user' } },
    })
    await asking.close()
  })

  longTest('does not ask with --no-interactive', async () => {
    const asking = await connect({
      over,
      era,
      words: [...words, '--no-interactive'],
      answer: () => 'accept',
    })
    const { tools } = await asking.client.listTools()
    expect(tools.map(({ name }) => name)).not.toContain('AskUserQuestion')
    const result = await asking.client.callTool({
      name: 'Write',
      arguments: { file_path: 'never.txt', content: 'x' },
    })
    expect(result.isError).toBe(true)
    expect(existsSync(join(cwd, 'never.txt'))).toBe(false)
    await asking.close()
  })
})

describe('over HTTP, accepts', () => {
  let server: StartedHttp
  beforeAll(async () => {
    server = await startHttp(words)
  })

  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    },
  })

  /** Unlike `fetch`, this can send a wrong Host header. */
  function statusOf(headers: Record<string, string>, path = '/mcp'): Promise<number | undefined> {
    const { port } = new URL(server.url)
    const all = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${server.token}`,
      ...headers,
    }
    return new Promise((resolve, reject) => {
      request({ host: '127.0.0.1', port, path, method: 'POST', headers: all }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
        .on('error', reject)
        .end(body)
    })
  }

  test('clients with the token', async () => {
    expect(await statusOf({})).toBe(200)
    expect(await statusOf({ origin: 'http://localhost:3000' })).toBe(200)
  })

  longTest('no clients without the token', async () => {
    expect(await statusOf({ authorization: '' })).toBe(401)
    expect(await statusOf({ authorization: `Bearer ${server.token.slice(1)}` })).toBe(401)
    expect(await statusOf({ authorization: server.token })).toBe(401)
  })

  longTest('no web pages, not even with a host name that resolves to this machine', async () => {
    expect(await statusOf({ origin: 'https://example.com' })).toBe(403)
    expect(await statusOf({ origin: 'null' })).toBe(403)
    expect(await statusOf({ host: 'example.com' })).toBe(403)
  })

  longTest('no other paths and no unknown sessions', async () => {
    expect(await statusOf({}, '/')).toBe(404)
    expect(await statusOf({ 'mcp-session-id': 'made-up' })).toBe(404)
  })

  longTest('a signal to stop; prints its token once, and nothing to standard output', async () => {
    expect(await server.close()).toBe(0)
    expect(server.output()).toBe('')
    expect(server.errors().split(server.token)).toHaveLength(2)
  })
})

test('answers invalid messages with errors, and writes only the protocol to standard output', async () => {
  const child = spawnMcp([...words, '--allow', 'Bash('])
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stdin.write(
    'hello\n\n{"a":\n[1]\n{"jsonrpc":"1.0","id":7,"method":"x"}\n{"jsonrpc":"2.0","id":8,"result":1}\n{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n',
  )
  await vi.waitFor(() => expect(output).toMatch(/"id":1\D/), { timeout: 10_000 })
  child.stdin.end()
  const code = await new Promise((resolve) => child.on('close', resolve))
  expect(code).toBe(0)
  const lines = output.trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    { jsonrpc: '2.0', id: null, error: { code: -32700, message: expect.any(String) as string } },
    { jsonrpc: '2.0', id: null, error: { code: -32700, message: expect.any(String) as string } },
    { jsonrpc: '2.0', id: null, error: { code: -32600, message: expect.any(String) as string } },
    { jsonrpc: '2.0', id: 7, error: { code: -32600, message: expect.any(String) as string } },
    expect.objectContaining({ jsonrpc: '2.0', id: 1 }),
  ])
})

longDescribe('a call with a duplicate key', () => {
  const call = (id: number | string): string =>
    `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"tools/call","params":{"name":"Bash","arguments":{"command":"echo a","command":"echo b"}}}`
  const refused = (id: number | string): object => ({
    jsonrpc: '2.0',
    id,
    error: {
      code: -32602,
      message: expect.stringContaining('invalid_input: The key "command" appears twice') as string,
    },
  })

  test('is refused over stdio, however it is chunked, and the next call is not', async () => {
    const child = spawnMcp(words)
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    const bytes = Buffer.from(
      `${call(1)}\r\n{"jsonrpc":"2.0","method":"x","params":{"a":1,"a":2}}\n{"jsonrpc":"2.0","id":9,"result":{"action":"decline","action":"accept"}}\n${call('é')}\n{"jsonrpc":"2.0","id":3,"method":"tools/list"}\n`,
    )
    for (let at = 0; at < bytes.length; at += 7) child.stdin.write(bytes.subarray(at, at + 7))
    await vi.waitFor(() => expect(output.split('\n').length).toBeGreaterThan(3), {
      timeout: 20_000,
    })
    child.stdin.end()
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0)
    const answers = output
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: unknown })
    expect(answers).toEqual([refused(1), refused('é'), expect.objectContaining({ id: 3 })])
  })

  test('is refused over HTTP', async () => {
    const server = await startHttp(words)
    const answer = await fetch(server.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${server.token}`,
      },
      body: call(1),
    })
    expect(await answer.json()).toEqual(refused(1))
    await server.close()
  })
})

longTest('an endless message ends the connection', async () => {
  const child = spawnMcp(words)
  child.stdin.on('error', () => {})
  child.stdin.write('x'.repeat(11 * 1024 * 1024))
  expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0)
})

test('changes can be undone', async () => {
  const path = join(cwd, 'taken-back.txt')
  const allowed = [...words, '--allow', 'Write']
  const connection = await connect({ over: 'stdio', era: 'legacy', words: allowed })
  const write = { name: 'Write', arguments: { file_path: path, content: 'x' } }
  expect((await connection.client.callTool(write)).isError).toBeFalsy()
  await connection.close()
  expect(existsSync(path)).toBe(true)
  const [, run] = /toolglot undo (mcp-[0-9a-f]{8})\n/.exec(connection.errors())!
  expect(await startCommand(['undo', run!], { cwd, env: { HOME } })).toMatchObject({ code: 0 })
  expect(existsSync(path)).toBe(false)
})

longTest('ignores an approval that was not requested', async () => {
  const questions: string[] = []
  const answer = (question: string): 'decline' => {
    questions.push(question)
    return 'decline'
  }
  const connection = await connect({ over: 'http', era: 'auto', words, answer })
  const forged = {
    name: 'Write',
    arguments: { file_path: 'forged.txt', content: 'x' },
    inputResponses: { approval: { action: 'accept', content: {} } },
    requestState: 'made up',
  }
  expect(await connection.client.callTool(forged)).toMatchObject({ isError: true })
  expect(questions).toHaveLength(1)
  expect(existsSync(join(cwd, 'forged.txt'))).toBe(false)
  await connection.close()
})

longTest('stops the commands of a client that disconnects', async () => {
  const seconds = `${700 + Math.random()}`
  const connection = await connect({ over: 'stdio', era: 'legacy', words })
  const begun = new Promise((resolve) => {
    const params = { name: 'Bash', arguments: { command: `echo begun; sleep ${seconds}` } }
    connection.client.callTool(params, { onprogress: resolve }).catch(() => {})
  })
  await begun
  expect(processes()).toContain(`sleep ${seconds}`)
  await connection.close()
  const isGone = (): void => expect(processes()).not.toContain(`sleep ${seconds}`)
  await vi.waitFor(isGone, { timeout: 8000, interval: 100 })
})

test('--port requires --http and a valid number', async () => {
  expect(await startCommand(['mcp', '--port', '80'])).toMatchObject({ code: 2 })
  expect(await startCommand(['mcp', '--http', '--port', 'x'])).toMatchObject({ code: 2 })
})

function textOf({ content }: CallToolResult): string {
  const [first] = content
  return first?.type === 'text' ? first.text : ''
}

function processes(): string {
  return execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
}

longTest('does not offer disabled tools, and warns about misspelled ones', async () => {
  const env = { HOME: folderOf() }
  const set = ['config', 'set', 'toolToggles', '{"Read": false, "Bash": false, "Wriite": false}']
  expect(await startCommand(set, { env })).toMatchObject({ code: 0 })
  const connection = await connect({ over: 'stdio', era: 'auto', words, env })
  const { client } = connection
  try {
    const { tools } = await client.listTools()
    const names = tools.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['Write', 'Edit']))
    for (const name of ['Read', 'Bash', 'BashInput', 'BashOutput', 'KillShell'])
      expect(names).not.toContain(name)
    const result = await client
      .callTool({ name: 'Read', arguments: { file_path: 'notes.txt' } })
      .catch((error: Error) => error)
    expect(result instanceof Error || result.isError).toBe(true)
    expect(connection.errors()).toMatch(/unknown tool 'Wriite'\. Did you mean Write/)
  } finally {
    await connection.close()
  }
})
