import { scriptedModel } from '@toolglot/agent/testing'
import { openWorkspace } from '@toolglot/workspace'
import { chmodSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { folderOf } from '../../../tests/helpers/folder.ts'
import { rawRequest } from '../test/raw-request.ts'
import { endpoints } from './api/endpoints.ts'
import { OTHER_ROUTES } from './api/other-routes.ts'
import type { AccessEntry } from './observe/access-entry.ts'
import { OPEN_ROUTES, type Scope } from './route.ts'
import { createLoginLink } from './security/login.ts'
import { openTokens, type Tokens } from './security/tokens.ts'
import { type Server, type ServerOptions, startServer } from './server.ts'
import { longTest, share } from '../../../tests/helpers/size.ts'
import type { Unset } from '../../../tests/helpers/unset.ts'

let stateFolder: string
let server: Server | undefined
let entries: AccessEntry[]
beforeEach(() => {
  stateFolder = folderOf()
  entries = []
})
afterEach(async () => {
  await server?.close()
  server = undefined
})

async function start(options: Partial<ServerOptions> = {}): Promise<string> {
  server = await startServer({
    models: {
      list: () => Promise.resolve([{ name: 'scripted', owner: 'test' }]),
      find: (name) =>
        Promise.resolve(
          name === 'scripted' ? { model: scriptedModel(['Hi']), protocol: 'hermes' } : undefined,
        ),
    },
    stateFolder,
    port: 0,
    limits: { stopTimeout: 100 },
    observe: (entry) => entries.push(entry),
    ...options,
  })
  return server.url
}

const tokens = (): Tokens => openTokens({ stateFolder })
const authorized = (): RequestInit => ({ headers: { authorization: `Bearer ${tokens().main()}` } })

/** Every route that answers the request below, and the scopes besides `all` that are sufficient. */
const ANSWERED: Readonly<Record<string, readonly Scope[]>> = {
  'GET /metrics': ['metrics'],
  'GET /v1/models': ['gateway'],
  'GET /v1/models/*': ['gateway'],
  'POST /api/logout': [],
  'POST /v1/chat/completions': ['gateway'],
  'POST /v1/messages': ['gateway'],
  'POST /v1/messages/count_tokens': ['gateway'],
  'POST /v1/responses': ['gateway'],
}
/** Every route that requires a token. */
const PROTECTED: typeof ANSWERED = {
  ...ANSWERED,
  ...Object.fromEntries(endpoints.map(({ name }) => [name, []])),
}

/** A server with all features. */
async function startAll(): Promise<string> {
  const env = { HOME: stateFolder, XDG_STATE_HOME: stateFolder }
  const workspace = await openWorkspace(stateFolder, { env })
  return await start({ metrics: () => 'up 1\n', workspace })
}

describe('every route', () => {
  /** Sends a request that would be answered without these headers. */
  async function send(name: string, headers: Readonly<Record<string, string>>): Promise<string> {
    const [method = '', pattern = ''] = name.split(' ')
    const path = pattern.replace('*', 'scripted').replaceAll(/:\w+/g, 'x')
    const { host, port } = new URL(server!.url)
    const message = { role: 'user', content: 'Hello' }
    const body = ['POST', 'PUT', 'PATCH'].includes(method)
      ? JSON.stringify({ model: 'scripted', messages: [message], input: 'Hello' })
      : ''
    const all = {
      host,
      ...(body !== '' && {
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
      }),
      ...headers,
    }
    const lines = Object.entries(all).map((entry) => entry.join(': '))
    const response = await rawRequest(Number(port), [`${method} ${path} HTTP/1.1`, ...lines], body)
    const [, status = ''] = /^HTTP\/1\.1 (\d+)/.exec(response) ?? []
    const [, code = ''] = /"(?:error_)?code":"(\w+)"/.exec(response) ?? []
    return `${status} ${code}`.trim()
  }

  /** The answers of all registered routes. */
  async function sendAll(headers: Readonly<Record<string, string>>): Promise<[string, string][]> {
    const answers: [string, string][] = []
    for (const name of server!.routes) answers.push([name, await send(name, headers)])
    return answers
  }

  test('is open or requires a token', async () => {
    await startAll()
    expect([...server!.routes].sort()).toEqual([...OPEN_ROUTES, ...Object.keys(PROTECTED)].sort())
    const described = Object.values(OTHER_ROUTES).map(({ name }) => name)
    expect(server!.routes).toEqual(expect.arrayContaining(described))
  })

  const wrong: readonly [string, Record<string, string>][] = [
    ['no token', {}],
    ['a wrong token', { authorization: 'Bearer wrong' }],
    ['a wrong key', { 'x-api-key': 'wrong' }],
    ['a wrong cookie', { cookie: 'toolglot_4747=wrong' }],
  ]
  test.each(share(wrong, 2))('401 for %s without a token', async (_, headers) => {
    await startAll()
    for (const [name, answer] of await sendAll(headers)) {
      if (OPEN_ROUTES.includes(name)) expect([name, answer]).not.toContain('401 unauthorized')
      else expect([name, answer]).toEqual([name, '401 unauthorized'])
    }
    for (const name of Object.keys(PROTECTED)) {
      const head = name.replace(/^\w+/, 'HEAD')
      expect([head, await send(head, headers)]).toEqual([head, '401'])
    }
  })

  const elsewhere = [
    ['host', 'evil.example', 'host_not_allowed'],
    ['origin', 'http://evil.example', 'origin_not_allowed'],
    ['origin', 'null', 'origin_not_allowed'],
    ['sec-fetch-site', 'cross-site', 'cross_site'],
    ['sec-fetch-site', 'same-site', 'cross_site'],
  ] as const
  test.each(share(elsewhere, 2))(
    '403 for %s %s, even with a token',
    async (header, value, code) => {
      await startAll()
      const authorization = `Bearer ${tokens().main()}`
      for (const [name, answer] of await sendAll({ authorization, [header]: value })) {
        expect([name, answer]).toEqual([name, `403 ${code}`])
      }
    },
  )

  test('403 for a token with an insufficient scope', async () => {
    const given = { gateway: '', metrics: '' }
    for (const scope of ['gateway', 'metrics'] as const) {
      given[scope] = tokens().create(scope, [scope])
    }
    await startAll()
    for (const scope of ['gateway', 'metrics'] as const) {
      for (const [name, answer] of await sendAll({ 'x-api-key': given[scope] })) {
        const isEnough = OPEN_ROUTES.includes(name) || PROTECTED[name]!.includes(scope)
        if (isEnough) expect([name, answer]).not.toContain('403 scope_insufficient')
        else expect([name, answer]).toEqual([name, '403 scope_insufficient'])
      }
    }
  })

  test('accepts the main token', async () => {
    await startAll()
    const authorization = `Bearer ${tokens().main()}`
    for (const name of Object.keys(ANSWERED)) {
      const status = name === 'POST /api/logout' ? '204' : '200'
      expect([name, await send(name, { authorization })]).toEqual([name, status])
    }
  })
})

test('returns errors in the shape of the API', async () => {
  const url = await start()
  const refused = await fetch(`${url}/v1/models`)
  expect([refused.status, await refused.json()]).toEqual([
    401,
    {
      error: {
        message: expect.stringContaining('no token') as string,
        type: 'authentication_error',
        param: null,
        code: 'unauthorized',
      },
    },
  ])
})

test('returns errors of Messages in the shape of Anthropic', async () => {
  const url = await start()
  for (const path of ['/v1/messages', '/v1/messages/count_tokens']) {
    const refused = await fetch(`${url}${path}`, { method: 'POST' })
    expect([refused.status, await refused.json()]).toEqual([
      401,
      {
        type: 'error',
        error: {
          type: 'authentication_error',
          message: expect.stringContaining('no token') as string,
          details: { error_code: 'unauthorized' },
        },
      },
    ])
  }
})

test.each([
  ['POST', '/v1/embeddings', 404, 'not_found', /count_tokens and GET \/v1\/models are there/],
  ['GET', '/v1', 404, 'not_found', /POST \/v1\/chat\/completions, POST \/v1\/responses, /],
  ['GET', '/v1/chat/completions', 405, 'method_not_allowed', /supports POST, not GET/],
  ['DELETE', '/v1/models/scripted', 405, 'method_not_allowed', /supports GET, HEAD, not DELETE/],
])('%s %s is a %d in the shape of the API', async (method, path, status, code, message) => {
  const response = await fetch(`${await start()}${path}`, { method, ...authorized() })
  expect([response.status, await response.json()]).toEqual([
    status,
    {
      error: {
        message: expect.stringMatching(message) as string,
        type: 'invalid_request_error',
        param: null,
        code,
      },
    },
  ])
})

test.each(['/chat/completions', '/models', '/models/scripted'])(
  '%s: the error explains that the base URL lacks /v1',
  async (path) => {
    const response = await fetch(`${await start()}${path}`, authorized())
    expect([response.status, await response.json()]).toEqual([
      404,
      {
        type: 'urn:toolglot:problem:not_found',
        title: 'Not found',
        status: 404,
        code: 'not_found',
        detail: expect.stringContaining('URL ends in /v1') as string,
      },
    ])
  },
)

longTest('accepts bodies of up to 32 MiB for the gateway', async () => {
  const url = await start()
  const most = 32 * 1024 * 1024
  const post = (length: number): Promise<Response> => {
    const bodyOf = (content: string): string =>
      JSON.stringify({ model: 'scripted', messages: [{ role: 'user', content }] })
    return fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { ...(authorized().headers as object), 'content-type': 'application/json' },
      body: bodyOf('x'.repeat(length - bodyOf('').length)),
    })
  }
  expect(await (await post(most)).json()).toMatchObject({
    choices: [{ message: { content: 'Hi' } }],
  })
  const refused = await post(most + 1)
  expect([refused.status, await refused.json()]).toMatchObject([
    413,
    { error: { code: 'body_too_large' } },
  ])
})

test.each([
  [{}, 400, 400],
  [{ jsonDepth: 100 }, 200, 400],
])(
  'with the limits %j, the nesting of a request to the gateway is limited',
  async (limits, ...expected) => {
    const url = await start({ limits })
    const statusOf = async (depth: number): Promise<number> => {
      const metadata = `${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}`
      const message = '{"role":"user","content":"Hello"}'
      const { status } = await fetch(`${url}/v1/chat/completions`, {
        method: 'POST',
        headers: { ...(authorized().headers as object), 'content-type': 'application/json' },
        body: `{"model":"scripted","messages":[${message}],"metadata":${metadata}}`,
      })
      return status
    }
    expect(await statusOf(64)).toBe(200)
    expect([await statusOf(65), await statusOf(101)]).toEqual(expected)
  },
)

test('has metrics if they are provided', async () => {
  const url = await start({ metrics: () => 'up 1\n' })
  expect((await fetch(`${url}/metrics`)).status).toBe(401)
  expect(await (await fetch(`${url}/metrics`, authorized())).text()).toBe('up 1\n')
  await server!.close()
  expect((await fetch(`${await start()}/metrics`, authorized())).status).toBe(404)
})

async function logIn(link: string): Promise<Response> {
  const { origin, hash } = new URL(link)
  return await fetch(`${origin}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-toolglot': '1' },
    body: JSON.stringify({ code: hash.slice('#login='.length) }),
  })
}

describe('a login link', () => {
  test('logs a browser in, once', async () => {
    const url = await start()
    const link = await server!.loginLink()
    const cookie = (await logIn(link)).headers.get('set-cookie')!.split(';')[0]!
    expect((await fetch(`${url}/v1/models`, { headers: { cookie } })).status).toBe(200)
    expect((await logIn(link)).status).toBe(401)
  })

  test('creates a session that remains ended, even after a restart', async () => {
    const port = Number(new URL(await start()).port)
    const sessions: string[] = []
    for (let count = 0; count < 2; count += 1) {
      const given = (await logIn(await server!.loginLink())).headers.get('set-cookie')!
      sessions.push(given.split(';')[0]!)
    }
    // Without keep-alive, because the next server uses the same port.
    const statuses = (): Promise<number[]> =>
      Promise.all(
        sessions.map(async (cookie) => {
          const lines = [`Host: 127.0.0.1:${port}`, `Cookie: ${cookie}`]
          const text = await rawRequest(port, ['GET /v1/models HTTP/1.1', ...lines])
          return Number(text.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length))
        }),
      )
    expect(await statuses()).toEqual([200, 200])
    const loggedOut = await fetch(`${server!.url}/api/logout`, {
      method: 'POST',
      headers: { cookie: sessions[0]!, 'content-type': 'application/json', 'x-toolglot': '1' },
      body: '{}',
    })
    expect(loggedOut.status).toBe(204)
    expect(await statuses()).toEqual([401, 200])
    await server!.close()
    await start({ port })
    expect(await statuses()).toEqual([401, 200])
    const file = join(stateFolder, 'ended-sessions.json')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file, 'utf8')).not.toContain(sessions[0]!.split('=')[1])
  })

  test('can be created by another process', async () => {
    const url = await start()
    expect((await logIn(createLoginLink(url, tokens()))).status).toBe(204)
  })

  test('and its session are invalid once the main token changes', async () => {
    const url = await start()
    const cookie = (await logIn(await server!.loginLink())).headers
      .get('set-cookie')!
      .split(';')[0]!
    const link = await server!.loginLink()
    tokens().rotate()
    await vi.waitFor(
      async () => {
        expect((await fetch(`${url}/v1/models`, { headers: { cookie } })).status).toBe(401)
      },
      { timeout: 10_000 },
    )
    expect((await logIn(link)).status).toBe(401)
  })
})

test('answers every request with 401 while the tokens cannot be read', async () => {
  const problems: unknown[] = []
  const url = await start({ onError: (error) => problems.push(error) })
  const cookie = (await logIn(await server!.loginLink())).headers.get('set-cookie')!.split(';')[0]!
  const link = await server!.loginLink()
  const token = authorized()
  expect((await fetch(`${url}/v1/models`, { headers: { cookie } })).status).toBe(200)
  chmodSync(join(stateFolder, 'tokens.json'), 0o644)
  await vi.waitFor(
    async () => {
      expect((await fetch(`${url}/v1/models`, { headers: { cookie } })).status).toBe(401)
    },
    { timeout: 10_000 },
  )
  expect((await fetch(`${url}/v1/models`, token)).status).toBe(401)
  expect((await logIn(link)).status).toBe(401)
  expect(problems.map(String)).toEqual([expect.stringContaining('its mode is 644')])
})

test('treats undefined options as missing', async () => {
  const options: Unset<ServerOptions> = {
    ...{ workspace: undefined, sharedJournal: undefined, runDefaults: undefined, host: undefined },
    ...{ dangerouslyListenEverywhere: undefined, port: undefined, token: undefined },
    ...{ hosts: undefined, origins: undefined, limits: undefined, onRequest: undefined },
    ...{ observe: undefined, onWarning: undefined, onError: undefined, metrics: undefined },
    ...{ streamArguments: undefined, maxBody: undefined, maxDepth: undefined },
    ...{ heartbeat: undefined, responses: undefined },
  }
  const url = await start({ ...options, port: 0 })
  const messages = [{ role: 'user', content: 'x'.repeat(33 << 20) }]
  const answer = async (body: object): Promise<number> => {
    const init = { ...authorized(), method: 'POST', body: JSON.stringify(body) }
    const request = new Request(`${url}/v1/chat/completions`, init)
    request.headers.set('content-type', 'application/json')
    return (await fetch(request)).status
  }
  expect(await answer({ model: 'scripted', messages })).toBe(413)
  expect(await answer({ model: 'scripted', messages: [{ role: 'user', content: 'Hi' }] })).toBe(200)
})

test('a given token is the only one', async () => {
  const token = 'given-token-with-more-than-32-characters'
  const url = await start({ token })
  const headers = { authorization: `Bearer ${token}` }
  expect((await fetch(`${url}/v1/models`, { headers })).status).toBe(200)
  expect((await fetch(`${url}/v1/models`, authorized())).status).toBe(401)
})

test('no token, code, cookie or path of a client is in the log', async () => {
  const url = await start()
  await fetch(`${url}/v1/models?api_key=secret-in-query`, authorized())
  await fetch(`${url}/secret-path`, {
    headers: { cookie: 'secret=1', authorization: 'Bearer secret' },
  })
  await vi.waitFor(() => expect(entries).toHaveLength(2), { timeout: 10_000 })
  const log = JSON.stringify(entries)
  expect(log).not.toContain('secret')
  expect(log).not.toContain(tokens().main())
  expect(entries.map(({ token }) => token)).toEqual(['main', undefined])
})

test('logs the path of a request with a token, shortened and escaped, without its query', async () => {
  const url = await start()
  const long = `/${'x/'.repeat(100)}`
  const paths = ['/chat/completions?key=hidden', '/\u202eb', long, `/v1/${tokens().main()}`]
  for (const path of paths) await fetch(`${url}${path}`, authorized())
  await fetch(`${url}/v1/models/scripted`, authorized())
  await fetch(`${url}/v1/models`, authorized())
  await vi.waitFor(() => expect(entries).toHaveLength(6), { timeout: 10_000 })
  expect(entries.map(({ route, path }) => [route, path])).toEqual([
    ['other', '/chat/completions'],
    ['other', '/%E2%80%AEb'],
    ['other', `${long.slice(0, 100)}…`],
    ['other', '/v1/[redacted]'],
    ['/v1/models/*', '/v1/models/scripted'],
    ['/v1/models', undefined],
  ])
})

test('accepts the hosts in the settings', async () => {
  const hosts = ['tools.example.com', '[fd00::1]:8080', '10.0.0.7:80', 'Upper.example']
  const port = Number(new URL(await start({ hosts })).port)
  for (const host of hosts) {
    expect(await rawRequest(port, ['GET / HTTP/1.1', `Host: ${host}`])).toMatch(/^HTTP\/1.1 200/)
  }
})

describe('beyond this machine', () => {
  test('warns about data visible to other users', async () => {
    const warnings: string[] = []
    const options = { host: '0.0.0.0', dangerouslyListenEverywhere: true }
    const url = await start({ ...options, onWarning: (text) => warnings.push(text) })
    expect(warnings).toEqual([expect.stringContaining('are not encrypted')])
    const port = Number(new URL(url).port)
    expect(await rawRequest(port, ['GET / HTTP/1.1', `Host: 0.0.0.0:${port}`])).toMatch(
      /^HTTP\/1.1 403/,
    )
    expect(await rawRequest(port, ['GET / HTTP/1.1', `Host: localhost:${port}`])).toMatch(
      /^HTTP\/1.1 200/,
    )
  })

  test('does not warn on this machine', async () => {
    const onWarning = vi.fn<(text: string) => void>()
    await start({ onWarning })
    expect(onWarning).not.toHaveBeenCalled()
  })

  test('refuses all networks unless that is allowed explicitly', async () => {
    await expect(start({ host: '0.0.0.0' })).rejects.toThrow('every network')
  })

  test.each([
    [{ hosts: ['*'] }, 'not a host name such as'],
    [{ hosts: ['https://tools.example.com'] }, 'not a host name such as'],
    [{ hosts: ['0.0.0.0'] }, 'not a host name such as'],
    [{ hosts: ['[::]:4747'] }, 'not a host name such as'],
    [{ hosts: ['a:99999'] }, 'not a host name such as'],
    [{ origins: ['*'] }, 'not an origin such as'],
    [{ origins: ['null'] }, 'not an origin such as'],
    [{ origins: ['https://app.example.com/'] }, 'not an origin such as'],
    [{ limits: { bodySize: -1 } }, 'must be above 0'],
  ])('refuses %j', async (options, message) => {
    await expect(start(options)).rejects.toThrow(message)
  })
})
