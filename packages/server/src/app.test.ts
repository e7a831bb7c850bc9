import { JournalError } from '@toolglot/agent/journal'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { fakeRoute } from '../test/fake-routes.ts'
import { createApp, type App, type AppOptions } from './app.ts'
import type { Connection, ResponseEnd } from './connection.ts'
import type { GatewayReport } from './gateway/report.ts'
import type { AccessEntry } from './observe/access-entry.ts'
import type { Route, Scope } from './route.ts'
import { loginRoutes } from './routes/login.ts'
import { metricsRoute } from './server.ts'
import { pageRoutes } from './routes/page.ts'
import { PROBLEM_TYPE } from './security/http-error.ts'
import { limitsFor } from './security/limits.ts'
import { createLogin, createLoginLink } from './security/login.ts'
import { hostsOf } from './security/perimeter.ts'

const HOST = '127.0.0.1:4747'
const tokens: Record<string, { name: string; scopes: Scope[] }> = {
  'main-token': { name: 'main', scopes: ['all'] },
  'gateway-token': { name: 'ci', scopes: ['gateway'] },
  'metrics-token': { name: 'prometheus', scopes: ['metrics'] },
}
const main = { main: () => 'main-token', tryMain: () => 'main-token' }
const bearer = { authorization: 'Bearer main-token' }

let entries: AccessEntry[]
let errors: unknown[]
beforeEach(() => {
  entries = []
  errors = []
})
afterEach(() => {
  vi.useRealTimers()
})

const pages = pageRoutes()

function app(routes: readonly Route[] = [fakeRoute()], options: Partial<AppOptions> = {}): App {
  const login = createLogin(main)
  return createApp({
    routes: [
      ...pages,
      ...loginRoutes(login),
      metricsRoute(() => 'requests 1\n'),
      fakeRoute({ method: 'GET', path: '/v1/models', handle: () => Response.json({ data: [] }) }),
      ...routes,
    ],
    tokens: { find: (token) => tokens[token] },
    login,
    hosts: hostsOf('127.0.0.1', 4747, ['tools.example.com']),
    origins: ['https://app.example.com'],
    limits: limitsFor(true),
    observe: (entry) => entries.push(entry),
    onError: (error) => errors.push(error),
    ...options,
  })
}

function request(path: string, init: RequestInit & { duplex?: 'half' } = {}): Request {
  const headers = new Headers({ host: HOST })
  new Headers(init.headers).forEach((value, name) => headers.set(name, value))
  return new Request(`http://${HOST}${path}`, { ...init, headers })
}

function post(
  path: string,
  headers: Record<string, string>,
  body: string | ReadableStream = '{}',
): Request {
  const json = { 'content-type': 'application/json', ...headers }
  return request(path, { method: 'POST', headers: json, body, duplex: 'half' })
}

/** The code of an error, in the shape of the fake route or of problem details. */
async function codeOf(response: Response): Promise<string> {
  const body = (await response.json()) as { code: string; error: { code: string } }
  return response.headers.get('content-type') === PROBLEM_TYPE ? body.code : body.error.code
}

async function cookieOf(server: App, headers: Record<string, string> = {}): Promise<string> {
  const code = new URL(createLoginLink(`http://${HOST}`, main)).hash.slice(7)
  const response = await server.fetch(post('/api/login', headers, JSON.stringify({ code })))
  expect(response.status).toBe(204)
  return response.headers.get('set-cookie')!.split(';')[0]!
}

describe('access to a route', () => {
  test('is required: a route without it does not compile', () => {
    // @ts-expect-error access is missing
    const route: Route = { method: 'GET', path: '/x', handle: () => new Response() }
    // @ts-expect-error an unknown scope
    const other: Route = { ...fakeRoute(), access: 'everyone' }
    expect([route, other]).toHaveLength(2)
  })

  test('cannot be open unless the route is in OPEN_ROUTES', () => {
    expect(() => app([fakeRoute({ access: 'open' })])).toThrow('POST /v1/echo is open')
  })

  test.each([
    {},
    { authorization: 'Bearer wrong' },
    { authorization: 'Bearer' },
    { authorization: 'Bearer ' },
    { authorization: 'Basic main-token' },
    { authorization: 'main-token' },
    { 'x-api-key': 'wrong' },
    { 'x-api-key': '' },
    { cookie: 'toolglot_4747=main-token' },
    { authorization: 'Bearer wrong', cookie: 'toolglot_4747=x' },
  ])('401 for %j, in the format of the route', async (headers) => {
    const response = await app().fetch(post('/v1/echo', headers as Record<string, string>))
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="toolglot"')
    expect(await response.json()).toMatchObject({ error: { type: 'fake', code: 'unauthorized' } })
  })

  test.each<Record<string, string>>([
    bearer,
    { authorization: 'bearer main-token' },
    { 'x-api-key': 'main-token' },
    { ...bearer, 'x-api-key': 'main-token' },
  ])('200 for %j', async (headers) => {
    const response = await app().fetch(post('/v1/echo', headers, '{"a":1}'))
    expect([response.status, await response.text()]).toEqual([200, '{"a":1}'])
  })

  test.each([
    { authorization: 'Bearer main-token, Bearer main-token' },
    { 'x-api-key': 'main-token, wrong' },
    { ...bearer, 'x-api-key': 'gateway-token' },
  ])('refuses several tokens: %j', async (headers) => {
    const response = await app().fetch(post('/v1/echo', headers as Record<string, string>))
    expect([response.status, await codeOf(response)]).toEqual([400, 'several_tokens'])
  })

  test.each([
    ['gateway-token', '/v1/models', 200],
    ['gateway-token', '/metrics', 403],
    ['metrics-token', '/metrics', 200],
    ['metrics-token', '/v1/models', 403],
    ['main-token', '/metrics', 200],
  ])('%s at %s: %i', async (token, path, status) => {
    const headers = { authorization: `Bearer ${token}` }
    expect((await app().fetch(request(path, { headers }))).status).toBe(status)
  })

  test('a gateway token cannot log out a browser', async () => {
    const response = await app().fetch(post('/api/logout', { 'x-api-key': 'gateway-token' }))
    expect([response.status, await codeOf(response)]).toEqual([403, 'scope_insufficient'])
  })

  test.each([
    '/nothing',
    '/v1/echo',
    '//v1/models',
    '/v1/models/',
    '/api/docs.js/..%2f..%2fpackage.json',
    '/static/docs.html',
    '/page/index.html',
  ])('an anonymous GET of %s gets only a 401', async (path) => {
    const response = await app().fetch(request(path))
    expect([response.status, await codeOf(response)]).toEqual([401, 'unauthorized'])
  })

  test('returns 404 and 405 only with a token', async () => {
    const server = app()
    const missing = await server.fetch(request('/nothing', { headers: bearer }))
    expect([missing.status, await codeOf(missing)]).toEqual([404, 'not_found'])
    const wrong = await server.fetch(request('/v1/echo', { headers: bearer }))
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST'])
    const put = await server.fetch(request('/v1/models', { method: 'PUT', headers: bearer }))
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  test.each([
    ['/nothing/here', 404],
    ['/chats/a/b', 404],
    ['/settings/', 404],
    [`/sandbox?arguments=${'x'.repeat(9000)}`, 414],
    [`/nothing?${'x'.repeat(9000)}`, 414],
  ])('shows the page to a browser at an unknown address (%#)', async (path, status) => {
    const headers = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
    const server = app()
    const [there, missing] = await Promise.all(
      ['/tools', path].map((each) => server.fetch(request(each, { headers }))),
    )
    expect(missing!.status).toBe(status)
    const withoutNonce = (text: string): string =>
      text.replaceAll(/nonce(-|" content=")[\w-]+/g, '')
    expect(withoutNonce(await missing!.text())).toBe(withoutNonce(await there!.text()))
    const headersOf = (response: Response): string =>
      withoutNonce(JSON.stringify([...response.headers]))
    expect(headersOf(missing!)).toBe(headersOf(there!))
    expect(missing!.headers.get('content-security-policy')).toMatch(/'nonce-[\w-]{24}'/)
  })

  test.each([
    '/v1',
    '/v1/nothing',
    '/models',
    '/echo',
    '/api/nothing',
    '/assets/a/b',
    `/v1/models?${'x'.repeat(9000)}`,
  ])('returns an error to a browser at an API address (%#)', async (path) => {
    const headers = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', ...bearer }
    const response = await app().fetch(request(path, { headers }))
    expect(response.headers.get('content-type')).toContain('json')
  })

  test.each([
    ['GET', { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }],
    ['GET', { accept: 'text/html' }],
    ['POST', { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }],
  ])('shows no page in other cases: %s %j', async (method, headers) => {
    const response = await app().fetch(request('/nothing', { method, headers: { ...headers } }))
    expect([response.status, await codeOf(response)]).toEqual([401, 'unauthorized'])
  })

  test('an encoded path is the same route, with the same access', async () => {
    expect((await app().fetch(request('/v1/%6Dodels'))).status).toBe(401)
    expect((await app().fetch(request('/v1/%6Dodels', { headers: bearer }))).status).toBe(200)
  })
})

describe('the origin of requests', () => {
  test.each([
    HOST,
    'localhost:4747',
    'LocalHost:4747',
    '[::1]:4747',
    'tools.example.com',
    'tools.example.com:4747',
  ])('accepts the Host %s', async (host) => {
    const response = await app().fetch(request('/v1/models', { headers: { ...bearer, host } }))
    expect(response.status).toBe(200)
  })

  test.each([
    'evil.example',
    'evil.example:4747',
    '127.0.0.1',
    '127.0.0.1:4748',
    'localhost',
    '0.0.0.0:4747',
    'localhost.:4747',
    '127.0.0.1:4747, 127.0.0.1:4747',
    'user@127.0.0.1:4747',
    '',
    'x.tools.example.com',
  ])('refuses the Host %j for any route and token', async (host) => {
    for (const path of ['/', '/v1/models', '/nothing']) {
      const response = await app().fetch(request(path, { headers: { ...bearer, host } }))
      expect([response.status, await codeOf(response)]).toEqual([403, 'host_not_allowed'])
    }
  })

  test('refuses a request without Host', async () => {
    const response = await app().fetch(new Request(`http://${HOST}/`))
    expect(response.status).toBe(403)
  })

  test.each([
    'http://evil.example',
    'null',
    'http://127.0.0.1:4748',
    'http://localhost:4747',
    'http://127.0.0.1',
    'https://app.example.com.evil.example',
    'http://app.example.com',
    '',
    `http://${HOST}, http://evil.example`,
  ])('refuses the Origin %j, without CORS headers', async (origin) => {
    for (const path of ['/', '/v1/models', '/nothing']) {
      const response = await app().fetch(request(path, { headers: { ...bearer, origin } }))
      expect([response.status, await codeOf(response)]).toEqual([403, 'origin_not_allowed'])
      expect(response.headers.get('access-control-allow-origin')).toBeNull()
    }
  })

  test('accepts our own origin, without CORS headers', async () => {
    const headers = { ...bearer, origin: `http://${HOST}`, 'sec-fetch-site': 'same-origin' }
    const response = await app().fetch(request('/v1/models', { headers }))
    expect(response.status).toBe(200)
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
  })

  test.each(['cross-site', 'same-site', 'anything', 'none, none'])(
    'refuses Sec-Fetch-Site %s',
    async (site) => {
      const headers = { ...bearer, 'sec-fetch-site': site }
      const response = await app().fetch(request('/v1/models', { headers }))
      expect([response.status, await codeOf(response)]).toEqual([403, 'cross_site'])
    },
  )

  const navigates = {
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'document',
  }

  test.each(['/', '/chat?folder=%2Fa', '/chats/run-1', '/settings/models'])(
    'a link elsewhere can open the page %s',
    async (path) => {
      expect((await app().fetch(request(path, { headers: navigates }))).status).toBe(200)
    },
  )

  test.each([
    ['/v1/models', navigates],
    ['/api/docs', navigates],
    ['/', { ...navigates, 'sec-fetch-dest': 'iframe' }],
    ['/', { ...navigates, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' }],
    ['/', { ...navigates, 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }],
  ])('a link elsewhere can open no other path: %s %j', async (path, headers) => {
    const response = await app().fetch(request(path, { headers }))
    expect([response.status, await codeOf(response)]).toEqual([403, 'cross_site'])
  })

  test('a link cannot cause a POST', async () => {
    const response = await app().fetch(post('/chat', navigates))
    expect(response.status).toBe(403)
  })

  test('allows exactly the configured origin, including in errors', async () => {
    const headers = { origin: 'https://app.example.com', 'sec-fetch-site': 'cross-site' }
    for (const token of [bearer, {}]) {
      const response = await app().fetch(
        request('/v1/models', { headers: { ...headers, ...token } }),
      )
      expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example.com')
      expect(response.headers.get('access-control-allow-credentials')).toBeNull()
      expect(response.headers.get('vary')).toBe('origin')
    }
  })

  test('refuses a cookie from a configured origin', async () => {
    const server = app()
    const cookie = await cookieOf(server)
    const headers = { cookie, origin: 'https://app.example.com' }
    expect((await server.fetch(request('/v1/models', { headers }))).status).toBe(401)
  })

  const asked = {
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,x-stainless-os',
  }
  test('answers a preflight of a configured origin', async () => {
    const headers = { ...asked, origin: 'https://app.example.com' }
    const response = await app().fetch(request('/v1/echo', { method: 'OPTIONS', headers }))
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example.com')
    expect(response.headers.get('access-control-allow-headers')).toBe(
      'authorization,x-stainless-os',
    )
    expect(response.headers.get('access-control-allow-private-network')).toBeNull()
  })

  test.each<Record<string, string>>([
    { origin: 'https://app.example.com', 'access-control-request-private-network': 'true' },
    { origin: 'https://app.example.com', 'access-control-request-local-network': 'true' },
    { origin: 'http://evil.example' },
    { origin: `http://${HOST}` },
    {},
  ])('a preflight with %j is denied', async (headers) => {
    const init = { method: 'OPTIONS', headers: { ...asked, ...headers } }
    const response = await app().fetch(request('/v1/echo', init))
    expect(response.status).toBe(403)
    expect(response.headers.get('access-control-allow-methods')).toBeNull()
  })

  test('treats OPTIONS without a preflight like any other method', async () => {
    expect((await app().fetch(request('/v1/echo', { method: 'OPTIONS' }))).status).toBe(401)
    const response = await app().fetch(request('/v1/echo', { method: 'OPTIONS', headers: bearer }))
    expect(response.status).toBe(405)
  })
})

describe('paths with parameters, and methods for changes', () => {
  const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
  /** Answers with its input. */
  const things = METHODS.map((method): Route => ({
    method,
    path: '/api/things/:thing/parts/:part',
    access: 'all',
    handle: async (incoming, { parameters }) =>
      Response.json({ method, parameters, body: await incoming.text() }),
  }))
  const path = '/api/things/a/parts/b'
  const send = (server: App, method: string, headers: Record<string, string>, at = path) => {
    const hasBody = ['POST', 'PUT', 'PATCH'].includes(method)
    const type: Record<string, string> = hasBody ? { 'content-type': 'application/json' } : {}
    const body = hasBody ? { body: '{"a":1}' } : {}
    return server.fetch(request(at, { method, headers: { ...type, ...headers }, ...body }))
  }

  test.each(METHODS)('%s gets its parameters and its body', async (method) => {
    const response = await send(app(things), method, bearer)
    expect(await response.json()).toEqual({
      method,
      parameters: { thing: 'a', part: 'b' },
      body: method === 'GET' || method === 'DELETE' ? '' : '{"a":1}',
    })
  })

  test.each([
    ['a%20b', 'a b'],
    ['..%2f..%2fetc%2Fpasswd', '../../etc/passwd'],
    ['%2e%2e%2f', '../'],
    ['a%5Cb', 'a\\b'],
    ['%252e%252e', '%2e%2e'],
    ['%25ff', '%ff'],
    ['__proto__', '__proto__'],
    ['constructor', 'constructor'],
    ['%E2%80%AE', '\u202e'],
    ['*', '*'],
    [':thing', ':thing'],
  ])('reads the segment %s as one parameter', async (segment, value) => {
    const response = await send(app(things), 'GET', bearer, `/api/things/${segment}/parts/b`)
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ parameters: { thing: value, part: 'b' } })
  })

  test.each([
    ['%00', 400, 'invalid_target'],
    ['a%0d%0ab', 400, 'invalid_target'],
    ['%7f', 400, 'invalid_target'],
    ['%ff', 400, 'invalid_target'],
    ['%c0%ae', 400, 'invalid_target'],
    ['%ed%a0%80', 400, 'invalid_target'],
    ['%', 400, 'invalid_target'],
    ['%zz', 400, 'invalid_target'],
    ['', 404, 'not_found'],
    ['%2e%2e', 404, 'not_found'],
    ['a/b', 404, 'not_found'],
  ])('answers the segment %j with %d, for any method', async (segment, status, code) => {
    for (const method of METHODS) {
      const at = `/api/things/${segment}/parts/b`
      const response = await send(app(things), method, bearer, at)
      expect([response.status, await codeOf(response)]).toEqual([status, code])
      expect((await send(app(things), method, {}, at)).status).toBe(401)
    }
    expect(errors).toEqual([])
  })

  test('answers HEAD like GET without a body', async () => {
    const response = await send(app(things), 'HEAD', bearer)
    expect([response.status, await response.text()]).toEqual([200, ''])
    expect((await send(app(things.slice(1)), 'HEAD', bearer)).status).toBe(405)
  })

  test.each(METHODS)('reports that a path supports only %s', async (method) => {
    const server = app(things.filter((each) => each.method === method))
    const allow = method === 'GET' ? 'GET, HEAD' : method
    for (const other of METHODS.filter((each) => each !== method)) {
      const response = await send(server, other, bearer)
      expect([response.status, response.headers.get('allow')]).toEqual([405, allow])
      expect(await codeOf(response)).toBe('method_not_allowed')
    }
  })

  test('lists all methods of a path', async () => {
    const response = await send(app(things), 'OPTIONS', bearer)
    const allow = 'GET, HEAD, POST, PUT, PATCH, DELETE'
    expect([response.status, response.headers.get('allow')]).toEqual([405, allow])
  })

  test.each(METHODS)(
    '%s with a cookie requires x-toolglot if it changes something',
    async (method) => {
      const server = app(things)
      const cookie = await cookieOf(server)
      const response = await send(server, method, { cookie })
      if (method === 'GET') expect(response.status).toBe(200)
      else expect([response.status, await codeOf(response)]).toEqual([403, 'csrf'])
      expect((await send(server, method, { cookie, 'x-toolglot': '1' })).status).toBe(200)
    },
  )

  test.each(['POST', 'PUT', 'PATCH'])('%s accepts only JSON, within the limit', async (method) => {
    const server = app(things, { limits: limitsFor(true, { bodySize: 10 }) })
    const type = await send(server, method, { ...bearer, 'content-type': 'text/plain' })
    expect([type.status, await codeOf(type)]).toEqual([415, 'unsupported_media_type'])
    const json = { ...bearer, 'content-type': 'application/json' }
    const long = await server.fetch(request(path, { method, headers: json, body: '"0123456789"' }))
    expect([long.status, await codeOf(long)]).toEqual([413, 'body_too_large'])
  })

  test('ignores the body of a DELETE', async () => {
    const handle = (): Response => new Response(null, { status: 204 })
    const server = app([fakeRoute({ method: 'DELETE', path, access: 'all', handle })])
    const pull = vi.fn<() => void>()
    const body = new ReadableStream({ pull }, { highWaterMark: 0 })
    const response = await server.fetch(
      request(path, { method: 'DELETE', headers: bearer, body, duplex: 'half' }),
    )
    expect(response.status).toBe(204)
    expect(pull).not.toHaveBeenCalled()
  })

  test.each(['PUT', 'PATCH', 'DELETE'])('answers a preflight for %s', async (method) => {
    const asked = { 'access-control-request-method': method }
    const preflight = (origin: string): Promise<Response> =>
      app(things).fetch(request(path, { method: 'OPTIONS', headers: { ...asked, origin } }))
    const allowed = await preflight('https://app.example.com')
    expect([allowed.status, allowed.headers.get('access-control-allow-methods')]).toEqual([
      204,
      'GET, POST, PUT, PATCH, DELETE',
    ])
    const denied = await preflight('https://evil.example')
    expect([denied.status, denied.headers.get('access-control-allow-methods')]).toEqual([403, null])
  })

  test('returns errors as problem details', async () => {
    const response = await send(app(things), 'GET', {})
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect(await response.json()).toEqual({
      type: 'urn:toolglot:problem:unauthorized',
      title: 'Unauthorized',
      status: 401,
      code: 'unauthorized',
      detail: expect.stringContaining('toolglot token') as string,
    })
  })
})

describe('the browser login', () => {
  test('exchanges a code for a cookie with full access', async () => {
    const server = app()
    const cookie = await cookieOf(server)
    expect((await server.fetch(request('/v1/models', { headers: { cookie } }))).status).toBe(200)
    expect((await server.fetch(request('/metrics', { headers: { cookie } }))).status).toBe(200)
  })

  test('reveals only the cookie in its response', async () => {
    // Must be first: codes from before the server started are not accepted.
    const server = app()
    const code = new URL(createLoginLink(`http://${HOST}`, main)).hash.slice(7)
    const response = await server.fetch(post('/api/login', {}, JSON.stringify({ code })))
    expect(response.headers.get('set-cookie')).toMatch(
      /^toolglot_4747=[\w.-]+; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict$/,
    )
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  test('binds the cookie to the host over https, through a proxy', async () => {
    const server = app()
    const https = { host: 'tools.example.com', origin: 'https://tools.example.com' }
    const cookie = await cookieOf(server, https)
    expect(cookie).toMatch(/^__Host-toolglot_443=/)
    // A GET request by the page itself has no Origin.
    const headers = { host: 'tools.example.com', cookie }
    expect((await server.fetch(request('/v1/models', { headers }))).status).toBe(200)
  })

  test('also requires x-toolglot for a POST with a cookie', async () => {
    const server = app()
    const cookie = await cookieOf(server)
    const without = await server.fetch(post('/v1/echo', { cookie }))
    expect([without.status, await codeOf(without)]).toEqual([403, 'csrf'])
    const response = await server.fetch(post('/v1/echo', { cookie, 'x-toolglot': '1' }))
    expect(response.status).toBe(200)
  })

  test('refuses a cookie of another port', async () => {
    const server = app()
    const cookie = (await cookieOf(server)).replace('4747', '4748')
    expect((await server.fetch(request('/v1/models', { headers: { cookie } }))).status).toBe(401)
    const renamed = { cookie: cookie.replace('4748', '4747') }
    expect((await server.fetch(request('/v1/models', { headers: renamed }))).status).toBe(200)
  })

  test('refuses a wrong token even with a valid cookie', async () => {
    const server = app()
    const headers = { cookie: await cookieOf(server), authorization: 'Bearer wrong' }
    expect((await server.fetch(request('/v1/models', { headers }))).status).toBe(401)
  })

  test('works even if another port’s page sets a cookie', async () => {
    const server = app()
    const headers = { cookie: `toolglot_4747=evil; ${await cookieOf(server)}` }
    expect((await server.fetch(request('/v1/models', { headers }))).status).toBe(200)
  })

  test('ends the session on logout, not only the cookie', async () => {
    const server = app()
    const cookie = await cookieOf(server)
    const response = await server.fetch(post('/api/logout', { cookie, 'x-toolglot': '1' }))
    expect(response.headers.get('set-cookie')).toContain('toolglot_4747=; Path=/; Max-Age=0')
    expect((await server.fetch(request('/v1/models', { headers: { cookie } }))).status).toBe(401)
  })

  test('answers ten wrong codes with 401, then 429', async () => {
    const server = app()
    const statuses: number[] = []
    for (let count = 0; count < 11; count += 1) {
      statuses.push((await server.fetch(post('/api/login', {}, '{"code":"wrong"}'))).status)
    }
    expect(statuses).toEqual([...Array<number>(9).fill(401), 429, 429])
  })

  test.each(['', '{}', 'null', '[]', '{"code":1}', '{'])(
    'answers the body %j with 400',
    async (body) => {
      const response = await app().fetch(post('/api/login', {}, body))
      expect([response.status, await codeOf(response)]).toEqual([400, 'invalid_request'])
    },
  )

  test('refuses a login from another page', async () => {
    const response = await app().fetch(post('/api/login', { origin: 'http://localhost:3000' }))
    expect(response.status).toBe(403)
  })
})

describe('bodies', () => {
  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    '',
    'application/json, text/plain',
    'application/jsonp',
    'application/json; charset=utf-7',
  ])('answers the content type %j with 415', async (type) => {
    const response = await app().fetch(post('/v1/echo', { ...bearer, 'content-type': type }))
    expect([response.status, await codeOf(response)]).toEqual([415, 'unsupported_media_type'])
  })

  test('accepts a content type with a charset', async () => {
    const headers = { ...bearer, 'content-type': 'Application/JSON; charset="UTF-8"' }
    expect((await app().fetch(post('/v1/echo', headers))).status).toBe(200)
  })

  test('refuses a length that is too large before reading the body', async () => {
    const pull = vi.fn<() => void>()
    const body = new ReadableStream({ pull }, { highWaterMark: 0 })
    const headers = { ...bearer, 'content-length': String(1024 * 1024 + 1) }
    const response = await app().fetch(post('/v1/echo', headers, body))
    expect([response.status, await codeOf(response)]).toEqual([413, 'body_too_large'])
    expect(pull).not.toHaveBeenCalled()
  })

  test('reads a body with a wrong length only up to the limit', async () => {
    let sent = 0
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          sent += 64 * 1024
          controller.enqueue(new Uint8Array(64 * 1024))
        },
      },
      { highWaterMark: 0 },
    )
    const headers = { ...bearer, 'content-length': '10' }
    const response = await app().fetch(post('/v1/echo', headers, body))
    expect(response.status).toBe(413)
    expect(sent).toBe(1024 * 1024 + 64 * 1024)
  })

  test('accepts a body of exactly the limit', async () => {
    const text = JSON.stringify('x'.repeat(998))
    const server = app([fakeRoute({ maxBody: 1000 })])
    expect((await server.fetch(post('/v1/echo', bearer, text))).status).toBe(200)
    expect((await server.fetch(post('/v1/echo', bearer, `${text} `))).status).toBe(413)
  })

  test('reads a body in pieces of one byte completely', async () => {
    const text = JSON.stringify({ a: 'ü'.repeat(20_000) })
    const bytes = new TextEncoder().encode(text)
    let index = 0
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (index === bytes.length) controller.close()
        else controller.enqueue(bytes.subarray(index, (index += 1)))
      },
    })
    const response = await app().fetch(post('/v1/echo', bearer, body))
    expect(await response.text()).toBe(text)
  })

  test('limits the total size of all bodies, and frees their memory', async () => {
    let free = (): void => {}
    const held = new Promise<void>((resolve) => (free = resolve))
    const route = fakeRoute({
      path: '/v1/hold',
      handle: async () => {
        await held
        return new Response(null)
      },
    })
    const server = app([fakeRoute(), route], { limits: limitsFor(true, { allBodiesSize: 1000 }) })
    const first = server.fetch(post('/v1/hold', bearer, JSON.stringify('x'.repeat(800))))
    const second = await server.fetch(post('/v1/echo', bearer, JSON.stringify('x'.repeat(300))))
    expect([second.status, second.headers.get('retry-after')]).toEqual([429, '1'])
    free()
    await first
    const third = await server.fetch(post('/v1/echo', bearer, JSON.stringify('x'.repeat(900))))
    expect(third.status).toBe(200)
  })

  test('frees the memory and the slot of a client that disconnects', async () => {
    let end: (end: ResponseEnd) => void = () => {}
    const connection: Connection = { trust: () => true, onEnd: (callback) => (end = callback) }
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          controller.enqueue(new TextEncoder().encode(JSON.stringify('x'.repeat(800))))
          controller.close()
          end({ bytes: 0, aborted: true })
        },
      },
      { highWaterMark: 0 },
    )
    const limits = limitsFor(true, { allBodiesSize: 1000, concurrentRequests: 1 })
    const server = app([fakeRoute()], { limits })
    await server.fetch(post('/v1/echo', bearer, body), connection)
    const next = await server.fetch(post('/v1/echo', bearer, JSON.stringify('x'.repeat(900))))
    expect(next.status).toBe(200)
  })

  test('answers a body that stops arriving with 408', async () => {
    vi.useFakeTimers()
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new Uint8Array(10)),
    })
    const pending = app().fetch(post('/v1/echo', bearer, body))
    await vi.advanceTimersByTimeAsync(32_000)
    expect((await pending).status).toBe(408)
  })

  test('answers a body that arrives too slowly with 408', async () => {
    vi.useFakeTimers()
    const body = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          await new Promise((resolve) => setTimeout(resolve, 1000))
          controller.enqueue(new Uint8Array(10))
        },
      },
      { highWaterMark: 0 },
    )
    const pending = app().fetch(post('/v1/echo', bearer, body))
    await vi.advanceTimersByTimeAsync(33_000)
    expect((await pending).status).toBe(408)
  })

  test('accepts JSON nested up to 64 levels', async () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
    expect((await app().fetch(post('/v1/echo', bearer, nested(64)))).status).toBe(200)
    const response = await app().fetch(post('/v1/echo', bearer, nested(65)))
    expect([response.status, await codeOf(response)]).toEqual([400, 'too_deep'])
  })

  test('accepts a URL of up to 8 KiB', async () => {
    const url = (length: number): string => `/v1/models?${'x'.repeat(length - 11)}`
    expect((await app().fetch(request(url(8192), { headers: bearer }))).status).toBe(200)
    const response = await app().fetch(request(url(8193), { headers: bearer }))
    expect([response.status, await codeOf(response)]).toEqual([414, 'url_too_long'])
  })
})

describe('the number of requests', () => {
  test('is limited per token until the responses have ended', async () => {
    const route = fakeRoute({ handle: () => new Response('a body') })
    const server = app([route], { limits: limitsFor(true, { concurrentRequests: 2 }) })
    const first = await server.fetch(post('/v1/echo', bearer))
    const second = await server.fetch(post('/v1/echo', bearer))
    const third = await server.fetch(post('/v1/echo', bearer))
    expect([third.status, third.headers.get('retry-after')]).toEqual([429, '1'])
    const other = await server.fetch(post('/v1/echo', { 'x-api-key': 'gateway-token' }))
    expect(other.status).toBe(200)
    await first.text()
    expect((await server.fetch(post('/v1/echo', bearer))).status).toBe(200)
    await second.body!.cancel()
    expect((await server.fetch(post('/v1/echo', bearer))).status).toBe(200)
  })

  test('does not include refused requests', async () => {
    const server = app([fakeRoute()], { limits: limitsFor(true, { concurrentRequests: 1 }) })
    for (let count = 0; count < 3; count += 1) {
      const refused = await server.fetch(
        post('/v1/echo', { ...bearer, 'content-type': 'text/plain' }),
      )
      expect(refused.status).toBe(415)
      await refused.text()
    }
  })

  test('is limited to ten per second from other machines, after a burst of twenty', async () => {
    const server = app([fakeRoute({ handle: () => new Response(null) })], {
      limits: limitsFor(false),
    })
    const statuses = new Map<number, number>()
    for (let count = 0; count < 40; count += 1) {
      const { status } = await server.fetch(post('/v1/echo', bearer))
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    expect(statuses.get(200)).toBeGreaterThanOrEqual(20)
    expect(statuses.get(429)).toBeGreaterThan(0)
  })
})

describe('responses', () => {
  test('have the security headers with any status', async () => {
    const server = app([
      fakeRoute({
        path: '/v1/fail',
        handle: () => {
          throw new Error('secret')
        },
      }),
    ])
    const requests = [
      request('/'),
      request('/settings/permissions'),
      request('/api/docs.js'),
      request('/v1/models'),
      request('/v1/models', { headers: bearer }),
      request('/nothing', { headers: bearer }),
      request('/', { headers: { host: 'evil' } }),
      post('/v1/fail', bearer),
      post('/api/login', {}),
    ]
    for (const each of requests) {
      const { headers } = await server.fetch(each)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(headers.get('cache-control')).toBe(
        new URL(each.url).pathname === '/api/docs.js' ? 'no-cache' : 'no-store',
      )
    }
  })

  const policy = (nonce: string): string =>
    `default-src 'none'; script-src 'self'; style-src 'self'${nonce}; font-src 'self'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types toolglot-parser`

  test.each(['/', '/chat', '/chats/run-1', '/settings', '/settings/models'])(
    'the page %s can use only its own files, and has a unique nonce',
    async (path) => {
      const nonces = new Set<string>()
      const server = app()
      for (let count = 0; count < 2; count += 1) {
        const response = await server.fetch(request(path))
        const page = await response.text()
        const [, nonce = ''] = /<meta name="nonce" content="([\w-]{24})"/.exec(page) ?? []
        nonces.add(nonce)
        expect(response.headers.get('content-security-policy')).toBe(policy(` 'nonce-${nonce}'`))
        expect(page).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=|https?:\/\//)
        const files = [...page.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, file = '']) => file)
        expect(files.length).toBeGreaterThan(2)
        for (const file of files) expect((await server.fetch(request(file))).status).toBe(200)
      }
      expect(nonces.size).toBe(2)
    },
  )

  test('allow caching the files of the page forever, and are 404 for other paths', async () => {
    const page = await (await app().fetch(request('/'))).text()
    const [, script = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(page) ?? []
    const { headers } = await app().fetch(request(script))
    expect([headers.get('content-type'), headers.get('cache-control')]).toEqual([
      'text/javascript; charset=utf-8',
      'public, max-age=31536000, immutable',
    ])
    const small = await app().fetch(
      request(script, { headers: { 'accept-encoding': 'br, gzip;q=0.5' } }),
    )
    expect(small.headers.get('content-encoding')).toBe('gzip')
    const whole = await (await app().fetch(request(script))).arrayBuffer()
    expect(gunzipSync(await small.arrayBuffer()).equals(Buffer.from(whole))).toBe(true)
    const refuses = await app().fetch(
      request(script, { headers: { 'accept-encoding': 'gzip;q=0' } }),
    )
    expect(refuses.headers.get('content-encoding')).toBeNull()
    const names = [
      'nothing.js',
      '..%2findex.html',
      '__proto__',
      'constructor',
      `${script.slice(8)}.gz`,
    ]
    const server = app()
    for (const name of names)
      expect((await server.fetch(request(`/assets/${name}`))).status).toBe(404)
  })

  test('the page of the API can use only its own files', async () => {
    const response = await app().fetch(request('/api/docs'))
    expect(response.headers.get('content-security-policy')).toBe(policy(''))
    const page = await response.text()
    expect(page).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=|https?:\/\//)
    for (const [, file = ''] of page.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css))"/g)) {
      const part = await app().fetch(request(file))
      expect([file, part.status]).toEqual([file, 200])
      // Text is never interpreted as markup.
      expect(await part.text()).not.toMatch(
        /innerHTML|outerHTML|insertAdjacent|document\.write|eval/,
      )
    }
  })

  test('do not repeat a file that the browser has cached', async () => {
    const server = app()
    const etag = (await server.fetch(request('/api/docs.css'))).headers.get('etag')!
    const response = await server.fetch(
      request('/api/docs.css', { headers: { 'if-none-match': etag } }),
    )
    expect([response.status, await response.text()]).toEqual([304, ''])
  })

  test('keep the policy of a cached page, because the headers of a 304 replace its own', async () => {
    const server = app()
    const page = await server.fetch(request('/api/docs'))
    const headers = { 'if-none-match': page.headers.get('etag')! }
    const response = await server.fetch(request('/api/docs', { headers }))
    expect(response.status).toBe(304)
    const name = 'content-security-policy'
    expect(response.headers.get(name)).toBe(page.headers.get(name))
  })

  test('to HEAD have the headers of GET and no body', async () => {
    const cancel = vi.fn<() => void>()
    const handle = (): Response => new Response(new ReadableStream({ cancel }))
    const server = app([fakeRoute({ method: 'GET', path: '/v1/stream', handle })])
    const page = await server.fetch(request('/api/docs', { method: 'HEAD' }))
    expect([page.status, await page.text()]).toEqual([200, ''])
    expect(Number(page.headers.get('content-length'))).toBeGreaterThan(100)
    await server.fetch(request('/v1/stream', { method: 'HEAD', headers: bearer }))
    expect(cancel).toHaveBeenCalledOnce()
    expect((await server.fetch(request('/v1/stream', { method: 'HEAD' }))).status).toBe(401)
  })

  test('hide an error of a route, which is logged', async () => {
    const thrown = new Error('secret /home/someone')
    const server = app([fakeRoute({ handle: () => Promise.reject(thrown) })])
    const response = await server.fetch(post('/v1/echo', bearer))
    expect(response.status).toBe(500)
    expect(await response.json()).toEqual({
      error: {
        type: 'fake',
        code: 'internal_error',
        message: 'The server failed. See its log.',
      },
    })
    expect(errors).toEqual([thrown])
  })

  test('to a token that cannot be checked let the client retry', async () => {
    const thrown = new JournalError('failed', 'The journal at db.example.com:5432/secret …')
    const find = (token: string): Promise<undefined> => {
      if (token in tokens) return Promise.resolve(undefined)
      return Promise.reject(thrown)
    }
    const server = app([], { tokens: { find } })
    const response = await server.fetch(request('/api/none', { headers: { 'x-api-key': 'other' } }))
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
    const text = await response.text()
    expect(JSON.parse(text)).toMatchObject({ code: 'storage_failed' })
    expect(text).toContain('cannot use its journal')
    expect(text).not.toContain('secret')
    expect(errors).toEqual([thrown])
  })
})

describe('the observer', () => {
  const report = { path: '/v1/echo', outcome: 'answer' } as GatewayReport

  test('is called once, when the body has ended', async () => {
    const route = fakeRoute({
      handle(_request, context) {
        context.report(report)
        return new Response('12345')
      },
    })
    const response = await app([route]).fetch(post('/v1/echo?key=secret', bearer))
    expect(entries).toEqual([])
    await response.text()
    expect(entries).toEqual([
      {
        time: expect.any(Number),
        method: 'POST',
        route: '/v1/echo',
        status: 200,
        duration: expect.any(Number),
        bytes: 5,
        token: 'main',
        gateway: report,
      },
    ])
    expect(JSON.stringify(entries)).not.toContain('secret')
  })

  test('learns that the client disconnected', async () => {
    const route = fakeRoute({ handle: () => new Response(new ReadableStream()) })
    const response = await app([route]).fetch(post('/v1/echo', bearer))
    await response.body!.cancel()
    expect(entries).toMatchObject([{ status: 200, aborted: true }])
  })

  test('is told that the response failed', async () => {
    const body = new ReadableStream({
      pull() {
        throw new Error('upstream')
      },
    })
    const response = await app([fakeRoute({ handle: () => new Response(body) })]).fetch(
      post('/v1/echo', bearer),
    )
    await expect(response.text()).rejects.toThrow('upstream')
    expect(entries).toMatchObject([{ status: 200, aborted: true }])
  })

  test('is told about refused requests, without text from the client', async () => {
    await (await app().fetch(request('/secret-path'))).text()
    await (await app().fetch(request('/v1/models', { headers: { host: 'secret-host' } }))).text()
    expect(entries).toMatchObject([
      { route: 'other', status: 401, error: 'unauthorized' },
      { route: '/v1/models', status: 403, error: 'host_not_allowed' },
    ])
    expect(JSON.stringify(entries)).not.toContain('secret')
    expect(entries[0]?.token).toBeUndefined()
  })

  test('waits for a report after the end', async () => {
    let late: (report: GatewayReport) => void = () => {}
    const route = fakeRoute({
      reports: true,
      handle(_request, context) {
        late = context.report
        return new Response(null)
      },
    })
    await app([route]).fetch(post('/v1/echo', bearer))
    expect(entries).toEqual([])
    late(report)
    late(report)
    expect(entries).toMatchObject([{ gateway: report }])
  })

  test('does not wait forever', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const route = fakeRoute({ reports: true, handle: () => new Response(null) })
    await app([route]).fetch(post('/v1/echo', bearer))
    vi.advanceTimersByTime(1000)
    expect(entries).toMatchObject([{ status: 200 }])
  })

  test('may throw, which is reported and affects no request', async () => {
    const problem = new Error('log')
    const server = app(undefined, {
      observe() {
        throw problem
      },
    })
    expect((await (await server.fetch(request('/'))).text()).length).toBeGreaterThan(0)
    expect(errors).toEqual([problem])
  })
})
