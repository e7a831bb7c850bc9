import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { rawRequest } from '../test/raw-request.ts'
import type { Gateway } from './gateway/gateway.ts'
import type { AccessEntry } from './observe/access-entry.ts'
import { createLoginLink } from './security/login.ts'
import { openTokens, type Tokens } from './security/tokens.ts'
import { type Server, type ServerOptions, startServer } from './server.ts'

// A fake gateway: these tests are about what is around it.
vi.mock('./gateway/gateway.ts', () => ({
  createGateway: (): Gateway => ({
    routes: [
      {
        method: 'GET',
        path: '/v1/models',
        error: ({ code }) => ({ error: { code, fake: true } }),
        handle: async (_request, { owner }) => Response.json({ data: [{ id: owner }] }),
      },
      {
        method: 'POST',
        path: '/v1/chat/completions',
        error: ({ code }) => ({ error: { code, fake: true } }),
        handle: async (request) => Response.json({ length: (await request.text()).length }),
      },
    ],
  }),
}))

let stateFolder: string
let server: Server | undefined
let entries: AccessEntry[]
beforeEach(() => {
  stateFolder = mkdtempSync(join(tmpdir(), 'server-'))
  entries = []
})
afterEach(async () => {
  await server?.close()
  server = undefined
  rmSync(stateFolder, { recursive: true })
})

async function start(options: Partial<ServerOptions> = {}): Promise<string> {
  server = await startServer({
    models: { list: () => Promise.resolve([]), find: () => Promise.resolve(undefined) },
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

test('routes of the gateway need a token, and errors come in their shape', async () => {
  const url = await start()
  const refused = await fetch(`${url}/v1/models`)
  expect([refused.status, await refused.json()]).toEqual([
    401,
    { error: { code: 'unauthorized', fake: true } },
  ])
  const response = await fetch(`${url}/v1/models`, authorized())
  expect(await response.json()).toEqual({ data: [{ id: 'main' }] })
})

test('a named token can use the gateway, and nothing else', async () => {
  const url = await start({ metrics: () => 'up 1\n' })
  const headers = { 'x-api-key': tokens().create('ci', ['gateway']) }
  await vi.waitFor(
    async () => {
      const response = await fetch(`${url}/v1/models`, { headers })
      expect(await response.json()).toEqual({ data: [{ id: 'ci' }] })
    },
    { timeout: 10_000 },
  )
  expect((await fetch(`${url}/metrics`, { headers })).status).toBe(403)
})

test('bodies to the gateway may have 32 MiB', async () => {
  const url = await start()
  const post = (length: number): Promise<Response> =>
    fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { ...(authorized().headers as object), 'content-type': 'application/json' },
      body: JSON.stringify('x'.repeat(length - 2)),
    })
  expect(await (await post(32 * 1024 * 1024)).json()).toEqual({ length: 32 * 1024 * 1024 })
  const refused = await post(32 * 1024 * 1024 + 1)
  expect([refused.status, await refused.json()]).toEqual([
    413,
    { error: { code: 'body_too_large', fake: true } },
  ])
})

test('metrics are there if someone provides them', async () => {
  const url = await start({ metrics: () => 'up 1\n' })
  expect((await fetch(`${url}/metrics`)).status).toBe(401)
  expect(await (await fetch(`${url}/metrics`, authorized())).text()).toBe('up 1\n')
  await server!.close()
  expect((await fetch(`${await start()}/metrics`, authorized())).status).toBe(404)
})

describe('a login link', () => {
  async function logIn(link: string): Promise<Response> {
    const { origin, hash } = new URL(link)
    return await fetch(`${origin}/api/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-toolglot': '1' },
      body: JSON.stringify({ code: hash.slice('#login='.length) }),
    })
  }

  test('logs a browser in, once', async () => {
    const url = await start()
    const link = server!.loginLink()
    const cookie = (await logIn(link)).headers.get('set-cookie')!.split(';')[0]!
    expect((await fetch(`${url}/v1/models`, { headers: { cookie } })).status).toBe(200)
    expect((await logIn(link)).status).toBe(401)
  })

  test('can be made by another process', async () => {
    const url = await start()
    expect((await logIn(createLoginLink(url, tokens()))).status).toBe(204)
  })

  test('and its session are worth nothing once the main token is another', async () => {
    const url = await start()
    const cookie = (await logIn(server!.loginLink())).headers.get('set-cookie')!.split(';')[0]!
    const link = server!.loginLink()
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

test('a token that is given is the only one', async () => {
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

describe('beyond this machine', () => {
  test('a warning says what others can see', async () => {
    const warnings: string[] = []
    const options = { host: '0.0.0.0', dangerouslyListenEverywhere: true }
    const url = await start({ ...options, onWarning: (text) => warnings.push(text) })
    expect(warnings).toEqual([expect.stringContaining('is not encrypted')])
    const port = Number(new URL(url).port)
    expect(await rawRequest(port, ['GET / HTTP/1.1', `Host: 0.0.0.0:${port}`])).toMatch(
      /^HTTP\/1.1 403/,
    )
    expect(await rawRequest(port, ['GET / HTTP/1.1', `Host: localhost:${port}`])).toMatch(
      /^HTTP\/1.1 200/,
    )
  })

  test('on this machine there is none', async () => {
    const onWarning = vi.fn<(text: string) => void>()
    await start({ onWarning })
    expect(onWarning).not.toHaveBeenCalled()
  })

  test('every network is refused unless it is allowed expressly', async () => {
    await expect(start({ host: '0.0.0.0' })).rejects.toThrow('every network')
  })

  test.each([
    [{ hosts: ['*'] }, 'a name such as'],
    [{ hosts: ['https://tools.example.com'] }, 'a name such as'],
    [{ hosts: ['0.0.0.0'] }, 'a name such as'],
    [{ origins: ['*'] }, 'an origin such as'],
    [{ origins: ['null'] }, 'an origin such as'],
    [{ origins: ['https://app.example.com/'] }, 'an origin such as'],
    [{ limits: { bodySize: -1 } }, 'a number above 0'],
  ])('%j is refused', async (options, message) => {
    await expect(start(options)).rejects.toThrow(message)
  })
})
