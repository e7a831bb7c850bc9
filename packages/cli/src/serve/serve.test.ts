import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'
import { folderOf } from '../../../../tests/helpers/folder.ts'
import { spawned } from '../../test/spawned.ts'
import { startCommand } from '../../test/start-command.ts'
import { talkingServer, calling } from '../../test/talking-server.ts'
import type { ServeFlags } from '../commands/serve.ts'
import type { Terminal } from '../terminal.ts'
import { serveLog, serveUntil } from './serve.ts'
import { longTest } from '../../../../tests/helpers/size.ts'

interface Serving {
  readonly url: string
  readonly output: () => string
  readonly errors: () => string
  readonly env: Record<string, string>
  /** Sends a request to the server, by default with the main token. */
  readonly ask: (path: string, body?: object, token?: string) => Promise<Response>
  readonly stop: () => Promise<void>
}

/** Runs the server in this process. */
async function serving(
  flags: Partial<ServeFlags> = {},
  { settings = {}, env = {} }: { settings?: object; env?: Record<string, string> } = {},
): Promise<Serving> {
  const HOME = folderOf({ '.config/toolglot/settings.json': settings })
  const own = { HOME, ...env }
  const output = collector()
  const errors = collector()
  const terminal: Terminal = {
    input: Readable.from([]),
    hasInput: false,
    output: output.stream,
    errors: errors.stream,
    env: own,
    cwd: folderOf(),
  }
  const stop = new AbortController()
  const all: ServeFlags = { allowHost: [], log: 'text', port: 0, model: 'script', ...flags }
  const ended = serveUntil(stop.signal, all, { terminal, log: serveLog(all, terminal) })
  const end = async (): Promise<void> => {
    stop.abort()
    await ended
  }
  onTestFinished(end)
  const started = flags.log === 'json' ? output : errors
  const [, url = ''] = await Promise.race([
    started.until(/listening on (http:\/\/[^\s"]+)/),
    ended.then(() => Promise.reject(new Error('it ended'))),
  ])
  const main = (await startCommand(['token'], { env: own })).output.trim()
  return {
    url,
    output: output.text,
    errors: errors.text,
    env: own,
    stop: end,
    ask: (path, body, token = main) =>
      fetch(`${url}${path}`, {
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      }),
  }
}

function collector(): {
  stream: PassThrough
  text: () => string
  until: (pattern: RegExp) => Promise<RegExpExecArray>
} {
  const stream = new PassThrough()
  let text = ''
  let wake = (): void => {}
  stream.on('data', (chunk: Buffer) => {
    text += chunk.toString()
    wake()
  })
  return {
    stream,
    text: () => text,
    async until(pattern) {
      for (;;) {
        const found = pattern.exec(text)
        if (found) return found
        await new Promise<void>((resolve) => (wake = resolve))
      }
    },
  }
}

const hello = { model: 'default', messages: [{ role: 'user', content: 'Hello' }] }

test('prints the address, the login and the model, but never the token', async () => {
  const { url, errors, output, env, ask, stop } = await serving()
  expect(errors()).toContain(`Toolglot is listening on ${url}\n`)
  expect(errors()).toMatch(/^ {2}Login +http:\/\/127\.0\.0\.1:\d+\/#login=\S+ {2}\(works once/m)
  expect(errors()).toContain(`${url}/v1  (any client of the OpenAI API)`)
  expect(errors()).toMatch(/^ {2}Token +toolglot token {2}\(prints it\)$/m)
  expect(errors()).toMatch(/^ {2}script .* · hermes$/m)
  expect(errors()).toContain('This is a built-in demo script, not an AI.')
  expect(errors()).toContain(`  export OPENAI_BASE_URL=${url}/v1\n`)
  expect((await fetch(`${url}/v1/models`)).status).toBe(401)
  expect(await (await ask('/v1/models')).json()).toMatchObject({
    data: [{ id: 'default', owned_by: 'toolglot' }],
  })
  expect(await (await ask('/v1/chat/completions', hello)).json()).toMatchObject({
    choices: [{ message: { role: 'assistant' }, finish_reason: 'stop' }],
  })
  await stop()
  await expect(fetch(url)).rejects.toThrow('fetch failed')
  const lines = output().trimEnd().split('\n')
  expect(lines[0]).toMatch(/^[\d:]{8} 401 GET \/v1\/models \d+ ms$/)
  expect(lines[1]).toBe('         unauthorized – the client needs a token: toolglot token')
  expect(lines[2]).toMatch(/ 200 GET \/v1\/models \d+ ms {2}main$/)
  expect(lines[3]).toMatch(/ 200 POST \/v1\/chat\/completions .* main {2}default \(hermes\) {2}~/)
  const token = (await startCommand(['token'], { env })).output.trim()
  expect(token).toMatch(/^\S{40,}$/)
  expect(output() + errors()).not.toContain(token)
})

test('the example of the documentation for the demo script returns a call', async () => {
  const page = readFileSync(new URL('../../../../docs/gateway.md', import.meta.url), 'utf8')
  const bodies = [...page.matchAll(/ -d '([^']+)'/g)].map(([, body = '']) => body)
  const body = JSON.parse(bodies.find((each) => each.includes('Bash'))!) as object
  const { ask } = await serving()
  expect(await (await ask('/v1/chat/completions', body)).json()).toMatchObject({
    choices: [
      {
        message: {
          tool_calls: [{ function: { name: 'Bash', arguments: '{"command":"node --version"}' } }],
        },
        finish_reason: 'tool_calls',
      },
    ],
  })
})

longTest('--log json writes only JSON, including warnings, and no login link', async () => {
  const { output, errors, ask, stop } = await serving(
    { log: 'json', host: '0.0.0.0', dangerouslyListenEverywhere: true },
    {
      settings: {
        nonsense: 1,
        gateway: { models: { odd: { model: 'ollama/odd', protocol: 'hermez' } } },
      },
    },
  )
  await (await ask('/v1/models')).text()
  await stop()
  const lines = output().trimEnd().split('\n')
  const text = (part: string): string => expect.stringContaining(part) as string
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { level: 'warn', message: text('nonsense') },
    { level: 'warn', message: text("the model 'odd' cannot be used") },
    { level: 'warn', message: text('Other machines can reach this server') },
    { level: 'info', message: expect.stringMatching(/^listening on http/) as string },
    { message: '"default" is a built-in demo script, not an AI (hermes): you chose it' },
    { level: 'info', message: 'request', route: '/v1/models', status: 200, token: 'main' },
  ])
  expect(errors()).toBe('')
  expect(output()).not.toContain('login')
})

longTest.each(['text', 'json'] as const)(
  '--log %s: logs a failure of the server on one line',
  async (log) => {
    const { output, errors, env, ask, stop } = await serving({ log })
    const file = `${env['HOME']}/.local/state/toolglot/tokens.json`
    rmSync(file)
    mkdirSync(file)
    const before = errors()
    await vi.waitFor(async () => expect((await ask('/v1/models')).status).toBe(401), 20_000)
    await stop()
    const lines = output().trimEnd().split('\n')
    const failures = lines.filter((line) => line.includes('Cannot use '))
    expect(failures).toHaveLength(1)
    if (log === 'json') {
      for (const line of lines) expect(JSON.parse(line)).toHaveProperty('level')
      expect(JSON.parse(failures[0]!)).toMatchObject({ level: 'error' })
    } else expect(failures[0]).toMatch(/^error: /)
    expect(errors()).toBe(before)
  },
)

longTest('logs an unhandled rejection without ending the server', async () => {
  const cwd = folderOf({
    'stray.mjs': `process.on('SIGUSR2', () => void Promise.reject(new Error('left\\x1b[2J behind')))`,
  })
  const words = ['serve', '-m', 'script', '--port', '0', '--log', 'json']
  const { until, child, output, errors, ended } = spawned(words, {
    env: {
      HOME: folderOf(),
      NODE_OPTIONS: `--import=${pathToFileURL(join(cwd, 'stray.mjs')).href}`,
    },
  })
  const [, url = ''] = await until(/listening on (http:[^\s"]+)/)
  child.kill('SIGUSR2')
  await until(/behind/)
  expect((await fetch(`${url}/`)).status).toBe(200)
  child.kill('SIGTERM')
  expect(await ended()).toBe(0)
  const lines = output().trimEnd().split('\n')
  const all = lines.map((line) => JSON.parse(line) as { level: string; message: string })
  expect(all.find(({ level }) => level === 'error')?.message).toContain('left\\x1b[2J behind')
  expect(errors()).toBe('')
})

test('reads models, hosts and limits from the settings, and reports problems', async () => {
  const upstream = await talkingServer(calling('now', { zone: 'UTC' }))
  const { url, ask, errors, output, stop } = await serving(
    { allowHost: ['other.example'] },
    {
      settings: {
        server: { hosts: ['gateway.example'], limits: { gatewayBodySize: 2000 } },
        gateway: {
          models: {
            mine: { model: upstream.model, temperature: 0.2, body: { top_k: 20 } },
            odd: { model: 'ollama/odd', protocol: 'hermez' },
          },
        },
      },
    },
  )
  expect(errors()).toContain("the model 'odd' cannot be used: Unknown protocol 'hermez'")
  const tools = [{ type: 'function', function: { name: 'now', parameters: { type: 'object' } } }]
  const reply = await ask('/v1/chat/completions', { ...hello, model: 'mine', tools })
  expect(await reply.json()).toMatchObject({
    choices: [
      {
        message: { tool_calls: [{ function: { name: 'now', arguments: '{"zone":"UTC"}' } }] },
        finish_reason: 'tool_calls',
      },
    ],
  })
  expect(upstream.requests.at(-1)!.body).toMatchObject({ temperature: 0.2, top_k: 20 })
  const long = { ...hello, messages: [{ role: 'user', content: 'a'.repeat(2000) }] }
  expect((await ask('/v1/chat/completions', long)).status).toBe(413)
  const odd = await ask('/v1/chat/completions', { ...hello, model: 'odd' })
  expect([odd.status, await odd.json()]).toMatchObject([
    503,
    { error: { message: 'This model cannot be used. See the log of the gateway.' } },
  ])
  expect(await statusFor(url, 'gateway.example')).toBe(401)
  expect(await statusFor(url, 'other.example')).toBe(401)
  expect(await statusFor(url, 'evil.example')).toBe(403)
  await stop()
  expect(output()).toMatch(/ mine \(hermes\) {2}1 call {2}/)
  expect(output()).toMatch(/^ {9}model_unavailable: Unknown protocol/m)
  expect(output()).toContain('host_not_allowed – if this name is yours: --allow-host NAME')
})

longTest('lists the models in the settings, and the unavailable ones', async () => {
  const away = { OLLAMA_HOST: 'http://127.0.0.1:9' }
  const models = { coder: { model: 'script' }, '*': { model: 'default' } }
  const settings = { gateway: { models } }
  const { errors } = await serving({ model: 'ollama/foo' }, { settings, env: away })
  expect(errors()).toMatch(/^ {2}Models +default, coder, any other name {2}\(GET/m)
  expect(errors()).toMatch(
    /^warning: the model 'default' cannot answer yet: Ollama is not running at http:\/\/127\.0\.0\.1:9; start it: ollama serve$/m,
  )
  expect(errors()).not.toContain("the model 'coder' cannot")
})

longTest('an invalid default model does not affect others', async () => {
  const settings = { gateway: { models: { coder: { model: 'script' } } } }
  const env = { TOOLGLOT_MODEL: 'nobody/any' }
  const { ask, errors } = await serving({ model: undefined as never }, { settings, env })
  expect(errors()).toContain("the model 'default' cannot be used")
  expect((await ask('/v1/chat/completions', { ...hello, model: 'coder' })).status).toBe(200)
})

longTest('serves metrics with a separate token', async () => {
  const { ask, env } = await serving()
  const words = ['token', 'create', 'prometheus', '--scope', 'metrics']
  const token = (await startCommand(words, { env })).output.trim()
  await (await ask('/v1/chat/completions', hello)).json()
  // The server checks the file of tokens every second.
  const metrics = await vi.waitFor(async () => {
    const response = await ask('/metrics', undefined, token)
    expect(response.status).toBe(200)
    return response.text()
  }, 20_000)
  expect(metrics).toMatch(
    /^toolglot_replies_total\{model="default",protocol="hermes",outcome="answer"\} 1$/m,
  )
  expect(metrics).toMatch(/^toolglot_requests_in_flight 1$/m)
  expect((await ask('/v1/models', undefined, token)).status).toBe(403)
})

longTest('a paid default model requires consent; the others are served', async () => {
  const env = { OPENAI_API_KEY: 'sk-not-a-key' }
  const { errors, ask } = await serving({ model: undefined as never }, { env })
  expect(errors()).toContain("the model 'default' cannot be used: OpenAI costs money")
  expect(errors()).toContain('No default model')
  const said = errors().slice(errors().indexOf('No default')).replace(/\s+/g, ' ')
  expect(said).toContain('No default model: OpenAI costs money')
  expect(said).toContain('toolglot models use openai/')
  expect(said).toContain('toolglot config set paidProviders openai')
  expect((await ask('/v1/chat/completions', hello)).status).toBe(503)
  expect(errors()).not.toContain('sk-not-a-key')
})

/** The status for another Host header, which fetch can't send. */
async function statusFor(url: string, host: string): Promise<number> {
  const { request } = await import('node:http')
  return new Promise((resolve, reject) => {
    request(`${url}/v1/models`, { headers: { host } }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
      .on('error', reject)
      .end()
  })
}
