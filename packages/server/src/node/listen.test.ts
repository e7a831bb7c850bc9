import { request as httpRequest } from 'node:http'
import { createServer, type Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { fakeRoute } from '../../test/fake-routes.ts'
import { type RawConnection, rawConnection, rawRequest } from '../../test/raw-request.ts'
import { createApp } from '../app.ts'
import type { AccessEntry } from '../observe/access-entry.ts'
import type { Route } from '../route.ts'
import { pageRoutes } from '../routes/page.ts'
import { type Limits, limitsFor } from '../security/limits.ts'
import { hostsOf } from '../security/perimeter.ts'
import { listen, type Listening } from './listen.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const TOKEN = 'Authorization: Bearer token'
const JSON_TYPE = 'Content-Type: application/json'

/** The head of a POST request. */
const post = (path: string, host: string, ...more: readonly string[]): string[] => [
  `POST ${path} HTTP/1.1`,
  host,
  TOKEN,
  JSON_TYPE,
  ...more,
]

interface Started extends Listening {
  readonly host: string
  /** Resolves with the next request's entry in the log. */
  readonly next: () => Promise<AccessEntry>
  readonly errors: unknown[]
}

async function start(
  routes: readonly Route[] = [],
  changed: Partial<Limits> = {},
  addresses = ['127.0.0.1'],
): Promise<Started> {
  const limits = limitsFor(true, { stopTimeout: 100, ...changed })
  const entries: AccessEntry[] = []
  const waiting: ((entry: AccessEntry) => void)[] = []
  const errors: unknown[] = []
  const listening = await listen({
    addresses,
    port: 0,
    limits,
    onError: (error) => errors.push(error),
    handler: (port) =>
      createApp({
        routes: [...pageRoutes(), fakeRoute(), ...routes],
        tokens: {
          find: (token) =>
            token === 'token' || token === 'other' ? { name: token, scopes: ['all'] } : undefined,
        },
        login: { isValid: () => false },
        hosts: hostsOf('127.0.0.1', port, []),
        origins: [],
        limits,
        observe(entry) {
          const next = waiting.shift()
          if (next) next(entry)
          else entries.push(entry)
        },
        onError: (error) => errors.push(error),
      }).fetch,
  })
  closing.push(() => listening.close())
  return {
    ...listening,
    host: `Host: 127.0.0.1:${listening.port}`,
    errors,
    next: () => {
      const entry = entries.shift()
      return entry ? Promise.resolve(entry) : new Promise((resolve) => waiting.push(resolve))
    },
  }
}

/** A route that streams until it is stopped, and reports why it ended. */
function endless(piece = 'data\n'): {
  route: Route
  started: Promise<void>
  stopped: Promise<string[]>
} {
  let onStarted = (): void => {}
  let onStopped: (how: string[]) => void = () => {}
  const started = new Promise<void>((resolve) => (onStarted = resolve))
  const stopped = new Promise<string[]>((resolve) => (onStopped = resolve))
  const how: string[] = []
  const add = (what: string): void => {
    how.push(what)
    if (how.length === 2) onStopped(how.sort())
  }
  const route = fakeRoute({
    method: 'GET',
    path: '/v1/endless',
    handle({ signal }) {
      signal.addEventListener('abort', () => add('aborted'))
      onStarted()
      const bytes = new TextEncoder().encode(piece)
      return new Response(
        new ReadableStream<Uint8Array>(
          {
            async pull(controller) {
              await new Promise((resolve) => setImmediate(resolve))
              controller.enqueue(bytes)
            },
            cancel: () => add('cancelled'),
          },
          { highWaterMark: 0 },
        ),
      )
    },
  })
  return { route, started, stopped }
}

describe('requests', () => {
  test('are answered, and the connection is reused', async () => {
    const { port, host } = await start()
    const get = (more: string): string => `GET /api/docs.css HTTP/1.1\r\n${host}\r\n${more}\r\n`
    const text = await rawConnection(port, get('') + get('Connection: close\r\n')).closed
    expect(text.match(/HTTP\/1.1 200 OK/g)).toHaveLength(2)
  })

  test('can have a chunked body', async () => {
    const { port, host } = await start()
    const chunks = '3\r\n{"a\r\n4\r\n":1}\r\n0\r\n\r\n'
    const lines = post('/v1/echo', host, 'Transfer-Encoding: chunked')
    const text = await rawRequest(port, lines, chunks)
    expect(text).toMatch(/^HTTP\/1.1 200 OK[^]*\{"a":1\}/)
  })

  test.each<[name: string, lines: (host: string) => string[], status: string]>([
    ['another Host', () => ['GET / HTTP/1.1', 'Host: evil.example'], '403'],
    ['two Hosts', (host) => ['GET / HTTP/1.1', host, 'Host: evil.example'], '403'],
    ['the same Host twice', (host) => ['GET / HTTP/1.1', host, host], '403'],
    ['no Host', () => ['GET / HTTP/1.1'], '403'],
    ['no Host, in HTTP/1.0', () => ['GET / HTTP/1.0'], '403'],
    ['a whole URL', (host) => ['GET http://evil.example/ HTTP/1.1', host], '400'],
    ['a whole URL of our own', (host) => [`GET http://${host.slice(6)}/ HTTP/1.1`, host], '400'],
    ['a target without a slash', (host) => ['OPTIONS * HTTP/1.1', host], '400'],
    ['two tokens', (host) => ['GET /v1/x HTTP/1.1', host, TOKEN, TOKEN], '400'],
    [
      'an empty token, then one',
      (host) => ['GET /v1/x HTTP/1.1', host, 'Authorization:', TOKEN],
      '400',
    ],
    [
      'two Origins',
      (host) => [
        'GET / HTTP/1.1',
        host,
        `Origin: http://${host.slice(6)}`,
        'Origin: http://evil.example',
      ],
      '403',
    ],
    ['TRACE', (host) => ['TRACE / HTTP/1.1', host, TOKEN], '501'],
    ['an unknown method', (host) => ['PROPFIND / HTTP/1.1', host, TOKEN], '501'],
    ['what is not HTTP', () => ['hello'], '400'],
    [
      'headers that are too large',
      (host) => ['GET / HTTP/1.1', host, `X: ${'x'.repeat(17_000)}`],
      '431',
    ],
    [
      'a URL that is too long',
      (host) => [`GET /?${'x'.repeat(8200)} HTTP/1.1`, host, TOKEN],
      '414',
    ],
    [
      'a length and chunks',
      (host) => post('/v1/echo', host, 'Content-Length: 2', 'Transfer-Encoding: chunked'),
      '400',
    ],
    [
      'two lengths',
      (host) => post('/v1/echo', host, 'Content-Length: 2', 'Content-Length: 3'),
      '400',
    ],
    [
      'an upgrade',
      (host) => ['GET /v1/x HTTP/1.1', host, 'Upgrade: websocket', 'Connection: Upgrade'],
      '401',
    ],
    ['a path that climbs', (host) => ['GET /../../package.json HTTP/1.1', host], '401'],
    [
      'an encoded path that climbs',
      (host) => ['GET /%2e%2e/%2e%2e/package.json HTTP/1.1', host],
      '401',
    ],
    [
      'a path with backslashes',
      (host) => [String.raw`GET /..\..\package.json HTTP/1.1`, host],
      '401',
    ],
    ['a path with two slashes', (host) => ['GET //v1/echo HTTP/1.1', host, TOKEN], '404'],
    ['an invalid escape', (host) => ['GET /%zz%ff HTTP/1.1', host, TOKEN], '404'],
  ])('%s', async (_name, lines, status) => {
    const { port, host } = await start()
    const text = await rawRequest(port, lines(host))
    expect(text.slice(0, 12)).toBe(`HTTP/1.1 ${status}`)
    expect(text.toLowerCase()).toContain('x-content-type-options: nosniff')
    expect(text).not.toMatch(/evil|node:|\.ts|Error:/)
  })

  test('with CONNECT end the connection', async () => {
    const { port, host } = await start()
    expect(await rawRequest(port, ['CONNECT evil.example:443 HTTP/1.1', host, TOKEN])).toBe('')
  })
})

describe('bodies', () => {
  const head = (host: string, ...more: string[]): string =>
    [post('/v1/echo', host, ...more).join('\r\n'), '\r\n\r\n'].join('')

  test('with a length that is too large are answered before the body arrives', async () => {
    const { port, host } = await start()
    const connection = rawConnection(port, head(host, 'Content-Length: 1000000000'))
    await connection.received('body_too_large')
    expect(await connection.closed).toMatch(/^HTTP\/1.1 413[^]*connection: close/)
  })

  test('are cut off at the limit if chunked', async () => {
    const { port, host } = await start([], { bodySize: 100_000 })
    const connection = rawConnection(port, head(host, 'Transfer-Encoding: chunked'))
    const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`
    const timer = setInterval(() => connection.socket.write(chunk), 1)
    expect(await connection.closed).toMatch(/^HTTP\/1.1 413/)
    clearInterval(timer)
  })

  test('are refused with a response that an unfinished sender can still read', async () => {
    const { port } = await start()
    const status = await new Promise((resolve, reject) => {
      const sent = httpRequest({ port, host: '127.0.0.1', method: 'POST', path: '/v1/echo' })
      sent.setHeader('content-length', 50_000_000)
      sent.on('response', (response) => {
        resolve(response.statusCode)
        sent.destroy()
      })
      sent.on('error', reject)
      sent.write(Buffer.alloc(5_000_000))
    })
    expect(status).toBe(401)
  })

  test('are refused without 100 Continue', async () => {
    const { port, host } = await start()
    const wait = 'Expect: 100-continue'
    const refused = rawConnection(port, head(host, 'Content-Length: 9000000', wait))
    expect(await refused.closed).toMatch(/^HTTP\/1.1 413/)
    const accepted = rawConnection(port, head(host, 'Content-Length: 2', 'Connection: close', wait))
    await accepted.received('100 Continue')
    accepted.socket.write('{}')
    expect(await accepted.closed).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 OK/)
  })

  test('are answered with 408 if they do not arrive', async () => {
    const { port, host } = await start([], { bodyTimeout: 100 })
    const text = await rawConnection(port, `${head(host, 'Content-Length: 10')}12`).closed
    expect(text).toMatch(/^HTTP\/1.1 408[^]*body_timeout/)
  })

  test('of a client that disconnects are not logged as errors', async () => {
    const { port, host, next, errors } = await start()
    const connection = rawConnection(port, `${head(host, 'Content-Length: 10')}12`)
    connection.socket.once('connect', () => setTimeout(() => connection.socket.destroy(), 50))
    expect(await next()).toMatchObject({ status: 499, aborted: true })
    expect(errors).toEqual([])
  })
})

describe('slow and numerous clients', () => {
  test('headers that do not arrive end the connection', async () => {
    const { port, host } = await start([], { headersTimeout: 200 })
    const silent = rawConnection(port, '')
    const slow = rawConnection(port, `GET / HTTP/1.1\r\n${host}\r\nX: `)
    const timer = setInterval(() => slow.socket.write('x'), 20)
    expect(await slow.closed).toMatch(/^HTTP\/1.1 408/)
    clearInterval(timer)
    expect(await silent.closed).toMatch(/^(HTTP\/1.1 408[^]*)?$/)
  })

  test('a request that arrived in time is answered, even if the process was paused', async () => {
    const { port, host } = await start([], { headersTimeout: 200 })
    const connection = rawConnection(port, '')
    await new Promise((done) => connection.socket.once('connect', done))
    // Gives the server time to accept the connection.
    await sleep(50)
    // Timers run first, then data is received.
    await new Promise((done) => setImmediate(done))
    connection.socket.write(`GET / HTTP/1.1\r\n${host}\r\nConnection: close\r\n\r\n`)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)
    expect(await connection.closed).toMatch(/^HTTP\/1.1 200/)
  })

  test('new connections replace those without a token, oldest first, but not those with one', async () => {
    const stream = endless()
    const { port, host } = await start([stream.route], { connections: 3 })
    const ask = `GET /v1/endless HTTP/1.1\r\n${host}\r\n${TOKEN}\r\n\r\n`
    const trusted = rawConnection(port, ask)
    await trusted.received('data')
    const idle = [rawConnection(port, ''), rawConnection(port, '')]
    await Promise.all(idle.map(({ socket }) => new Promise((done) => socket.once('connect', done))))
    // Another request on the same connection would make it count as known.
    expect(await rawRequest(port, ['GET / HTTP/1.1', host])).toMatch(/^HTTP\/1.1 200/)
    expect(await idle[0]!.closed).toBe('')
    expect(trusted.socket.destroyed).toBe(false)
    trusted.socket.destroy()
    idle[1]!.socket.destroy()
  })

  test('a new connection is refused when all open ones have a token', async () => {
    const stream = endless()
    const { port, host } = await start([stream.route], { connections: 1 })
    const trusted = rawConnection(port, `GET /v1/endless HTTP/1.1\r\n${host}\r\n${TOKEN}\r\n\r\n`)
    await trusted.received('data')
    expect(await rawRequest(port, ['GET / HTTP/1.1', host])).toBe('')
    trusted.socket.destroy()
  })

  test('limits the connections of a token, and accepts those of other tokens', async () => {
    const { port, host } = await start([], { connections: 8, connectionsPerToken: 3 })
    const ask = (token: string): RawConnection =>
      rawConnection(port, `GET /v1/none HTTP/1.1\r\n${host}\r\nx-api-key: ${token}\r\n\r\n`)
    const open = [ask('token'), ask('token'), ask('token')]
    await Promise.all(open.map((each) => each.received('404')))
    const refused = await Promise.all([ask('token').closed, ask('token').closed])
    for (const text of refused) {
      expect(text).toMatch(/^HTTP\/1.1 429[^]*connection: close[^]*too many open connections/)
    }
    await ask('other').received('404')
    // The token's open connections can be used again, and closing one makes room for another.
    open[0]!.socket.write(`GET / HTTP/1.1\r\n${host}\r\nx-api-key: token\r\n\r\n`)
    await open[0]!.received('200 OK')
    open[1]!.socket.destroy()
    await vi.waitFor(() => ask('token').received('404'), { timeout: 10_000, interval: 10 })
  })

  test('one token never has more than half of all connections', async () => {
    const { port, host } = await start([], { connections: 4, connectionsPerToken: 100 })
    const ask = (token: string): RawConnection =>
      rawConnection(port, `GET /v1/none HTTP/1.1\r\n${host}\r\nx-api-key: ${token}\r\n\r\n`)
    await Promise.all([ask('token').received('404'), ask('token').received('404')])
    expect(await ask('token').closed).toMatch(/^HTTP\/1.1 429/)
    await ask('other').received('404')
  })

  test('if all connections have a token, closes an idle one of the client with the most', async () => {
    const stream = endless()
    const { port, host } = await start([stream.route], { connections: 6, connectionsPerToken: 3 })
    const ask = (token: string, path: string): RawConnection =>
      rawConnection(port, `GET ${path} HTTP/1.1\r\n${host}\r\nx-api-key: ${token}\r\n\r\n`)
    const busy = ask('token', '/v1/endless')
    await busy.received('data')
    const older = ask('token', '/v1/none')
    await older.received('404')
    const newer = ask('token', '/v1/none')
    await newer.received('404')
    const others = [ask('other', '/v1/none'), ask('other', '/v1/none')]
    await Promise.all(others.map((each) => each.received('404')))
    const stranger = rawConnection(port, `GET /api/docs.css HTTP/1.1\r\n${host}\r\n\r\n`)
    await stranger.received('200 OK')
    await ask('other', '/v1/none').received('404')
    expect(await older.closed).toMatch(/^HTTP\/1.1 404/)
    const left = [busy, newer, ...others, stranger]
    expect(left.map(({ socket }) => socket.destroyed)).toEqual(left.map(() => false))
    busy.socket.destroy()
  })

  test('disconnects a client that reads nothing, and buffers little data for it', async () => {
    let enqueued = 0
    const handle = (): Response =>
      new Response(
        new ReadableStream<Uint8Array>(
          {
            pull(controller) {
              enqueued += 1_000_000
              controller.enqueue(new Uint8Array(1_000_000))
            },
          },
          { highWaterMark: 0 },
        ),
      )
    const route = fakeRoute({ method: 'GET', path: '/v1/large', handle })
    const { port, host, next } = await start([route], { stalledTimeout: 300 })
    const { socket } = rawConnection(port, `GET /v1/large HTTP/1.1\r\n${host}\r\n${TOKEN}\r\n\r\n`)
    socket.pause()
    const entry = await next()
    expect(entry).toMatchObject({ status: 200, aborted: true, cut: 'stalled' })
    // The kernel's buffer and one piece.
    expect(enqueued - entry.bytes).toBeLessThanOrEqual(1_000_000)
    expect(enqueued).toBeLessThan(30_000_000)
    socket.destroy()
  })
})

describe('the end of a response', () => {
  test('a disconnected client aborts the request and cancels the body', async () => {
    const stream = endless()
    const { port, host, next, errors } = await start([stream.route])
    const connection = rawConnection(
      port,
      `GET /v1/endless HTTP/1.1\r\n${host}\r\n${TOKEN}\r\n\r\n`,
    )
    await connection.received('data')
    connection.socket.destroy()
    expect(await stream.stopped).toEqual(['aborted', 'cancelled'])
    const entry = await next()
    expect(entry).toMatchObject({ route: '/v1/endless', status: 200, aborted: true })
    expect(entry.cut).toBeUndefined()
    expect(errors).toEqual([])
  })

  test('a client that disconnects before the response aborts the request', async () => {
    let began = (): void => {}
    const begun = new Promise<void>((resolve) => (began = resolve))
    const handle = ({ signal }: Request): Promise<Response> =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error))
        began()
      })
    const { port, host, next, errors } = await start([fakeRoute({ path: '/v1/wait', handle })])
    const lines = post('/v1/wait', host, 'Content-Length: 2')
    const connection = rawConnection(port, `${lines.join('\r\n')}\r\n\r\n{}`)
    await begun
    connection.socket.destroy()
    expect(await next()).toMatchObject({ status: 499, aborted: true, token: 'token' })
    expect(errors).toEqual([])
  })

  test('the signal works after the request was garbage-collected', async () => {
    let began = (): void => {}
    const begun = new Promise<void>((resolve) => (began = resolve))
    let aborted = (): void => {}
    const gone = new Promise<void>((resolve) => (aborted = resolve))
    const handle = ({ signal }: Request): Promise<Response> => {
      signal.addEventListener('abort', aborted)
      began()
      return new Promise(() => {})
    }
    const { port, host } = await start([fakeRoute({ path: '/v1/wait', handle })])
    const lines = post('/v1/wait', host, 'Content-Length: 2')
    const connection = rawConnection(port, `${lines.join('\r\n')}\r\n\r\n{}`)
    await begun
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    for (let count = 0; count < 5; count += 1) {
      await new Promise((resolve) => setImmediate(resolve))
      collect()
    }
    connection.socket.destroy()
    await gone
  })

  test('cuts off a failed body instead of ending it, and reveals no cause', async () => {
    let pulls = 0
    const handle = (): Response =>
      new Response(
        new ReadableStream<Uint8Array>({
          pull(controller) {
            pulls += 1
            if (pulls > 1) throw new Error('secret')
            controller.enqueue(new TextEncoder().encode('some'))
          },
        }),
      )
    const route = fakeRoute({ method: 'GET', path: '/v1/fails', handle })
    const { port, host, next } = await start([route])
    const text = await rawRequest(port, ['GET /v1/fails HTTP/1.1', host, TOKEN])
    expect(text).not.toContain('secret')
    expect(text).not.toMatch(/content-length|\r\n0\r\n\r\n$/i)
    expect(await next()).toMatchObject({ aborted: true, cut: 'failed' })
  })

  test('counts bytes', async () => {
    const handle = (): Response => new Response('x'.repeat(200_000))
    const { port, host, next } = await start([fakeRoute({ method: 'GET', path: '/v1/x', handle })])
    await rawRequest(port, ['GET /v1/x HTTP/1.1', host, TOKEN])
    expect(await next()).toMatchObject({ bytes: 200_000, status: 200 })
  })
})

describe('stopping', () => {
  test('lets a response end, and accepts no new requests', async () => {
    let finish = (): void => {}
    let began = (): void => {}
    const begun = new Promise<void>((resolve) => (began = resolve))
    const handle = (): Promise<Response> => {
      began()
      return new Promise((resolve) => (finish = () => resolve(new Response('the end'))))
    }
    const route = fakeRoute({ method: 'GET', path: '/v1/slow', handle })
    const server = await start([route], { stopTimeout: 30_000 })
    const connection = rawConnection(
      server.port,
      `GET /v1/slow HTTP/1.1\r\n${server.host}\r\n${TOKEN}\r\n\r\n`,
    )
    await begun
    const closed = server.close()
    expect(await rawRequest(server.port, ['GET / HTTP/1.1', server.host])).toBe('')
    finish()
    expect(await connection.closed).toMatch(/connection: close[^]*the end/i)
    await closed
  })

  test('ends an unfinished response and idle connections', async () => {
    const stream = endless()
    const server = await start([stream.route])
    const idle = rawConnection(server.port, `GET /api/docs.css HTTP/1.1\r\n${server.host}\r\n\r\n`)
    await idle.received('200 OK')
    const connection = rawConnection(
      server.port,
      `GET /v1/endless HTTP/1.1\r\n${server.host}\r\n${TOKEN}\r\n\r\n`,
    )
    await connection.received('data')
    await server.close()
    expect(await stream.stopped).toEqual(['aborted', 'cancelled'])
    await Promise.all([idle.closed, connection.closed])
    await server.next()
    expect(await server.next()).toMatchObject({ aborted: true, cut: 'stopped' })
  })

  test('reports unfinished responses, and can end the wait', async () => {
    const stream = endless()
    const server = await start([stream.route], { stopTimeout: 1_000_000 })
    const ask = `GET /v1/endless HTTP/1.1\r\n${server.host}\r\n${TOKEN}\r\n\r\n`
    const connections = [rawConnection(server.port, ask), rawConnection(server.port, ask)]
    await Promise.all(connections.map((each) => each.received('data')))
    const atOnce = new AbortController()
    const waiting: number[] = []
    const closed = server.close({
      signal: atOnce.signal,
      onWaiting: (responses) => waiting.push(responses),
    })
    expect(waiting).toEqual([2])
    // One client disconnects.
    connections[0]!.socket.destroy()
    expect((await server.next()).cut).toBeUndefined()
    atOnce.abort()
    await closed
    expect(await server.next()).toMatchObject({ aborted: true, cut: 'stopped' })
    await connections[1]!.closed
  })

  test('reports no wait if there is nothing to wait for', async () => {
    const server = await start([], { stopTimeout: 1_000_000 })
    const onWaiting = vi.fn<(responses: number) => void>()
    await server.close({ onWaiting })
    expect(onWaiting).not.toHaveBeenCalled()
  })
})

describe('addresses', () => {
  test('uses the same port for both loopback addresses of this machine', async () => {
    const { port, host } = await start([], {}, ['127.0.0.1', '::1'])
    const lines = `GET /api/docs.css HTTP/1.1\r\n${host}\r\nConnection: close\r\n\r\n`
    expect(await rawConnection(port, lines).closed).toMatch(/^HTTP\/1.1 200/)
    if (await hasIpv6())
      expect(await rawConnection(port, lines, '::1').closed).toMatch(/^HTTP\/1.1 200/)
  })

  test('skips an address that this machine does not have, except the first', async () => {
    const { port, host } = await start([], {}, ['127.0.0.1', '192.0.2.1'])
    expect(await rawRequest(port, ['GET / HTTP/1.1', host])).toMatch(/^HTTP\/1.1 200/)
    await expect(start([], {}, ['192.0.2.1'])).rejects.toThrow('EADDRNOTAVAIL')
    await expect(start([], {}, ['192.0.2.1'])).rejects.toThrow(
      /^This machine has no address 192.* Choose one of its own: .*127\.0\.0\.1/,
    )
  })

  test('skips a port that another program uses on one of the addresses', async () => {
    if (!(await hasIpv6())) return
    const other = await listenOn('::1')
    const { port } = other.address() as { port: number }
    const attempt = listen({
      addresses: ['127.0.0.1', '::1'],
      port,
      limits: limitsFor(true),
      handler: () => () => Promise.resolve(new Response()),
    })
    await expect(attempt).rejects.toThrow('EADDRINUSE')
    // The port is free again.
    const free = await listenOn('127.0.0.1', port)
    await Promise.all([other, free].map((each) => new Promise((done) => each.close(done))))
  })
})

function listenOn(host: string, port = 0): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(port, host, () => resolve(server))
  })
}

async function hasIpv6(): Promise<boolean> {
  try {
    const server = await listenOn('::1')
    await new Promise((done) => server.close(done))
    return true
  } catch {
    return false
  }
}
