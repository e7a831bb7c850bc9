import { readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createServer } from 'node:net'
import { gzipSync, brotliCompressSync, constants } from 'node:zlib'
import { ToolError } from '@toolglot/agent'
import { judgeHop } from '@toolglot/permissions/internal'
import { request } from 'undici'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { WebRequest } from '../../host/web.ts'
import { countConnects } from '../../../test/connects.ts'
import { fakeLookUp } from '../../../test/fake-look-up.ts'
import { body, failureOf, serve } from '../../../test/web-server.ts'
import { agentForAddresses, nodeWeb } from './web.ts'
import { freePort } from '../../../../../tests/helpers/free-ports.ts'

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

function options(more: Partial<WebRequest> = {}): WebRequest {
  return { permit: () => {}, signal: new AbortController().signal, maxBytes: 10_000_000, ...more }
}

test('fetches a page with a User-Agent header', async () => {
  const server = await serve((asked, response) => {
    response.setHeader('x-agent', asked.headers['user-agent'] ?? '')
    response.end(`${asked.method} ${asked.url}`)
  })
  const answer = await nodeWeb().request(
    new URL(`http://127.0.0.1:${server.port}/a?b=c`),
    options(),
  )
  expect(text(answer.body)).toBe('GET /a?b=c')
  expect(answer).toMatchObject({
    status: 200,
    headers: { 'x-agent': expect.stringMatching(/^Toolglot\//) },
  })
  expect(server.open()).toBeLessThanOrEqual(1)
})

describe('connections', () => {
  test('do not use proxies in the environment', async () => {
    const proxy = await serve(body('proxy'))
    const server = await serve(body('page'))
    for (const name of ['http_proxy', 'HTTP_PROXY', 'ALL_PROXY']) {
      const before = process.env[name]
      process.env[name] = `http://127.0.0.1:${proxy.port}`
      onTestFinished(() => {
        if (before === undefined) delete process.env[name]
        else process.env[name] = before
      })
    }
    const answer = await nodeWeb().request(new URL(`http://127.0.0.1:${server.port}/`), options())
    expect(text(answer.body)).toBe('page')
    expect(proxy.connections).toEqual([])
  })

  test('are checked with all addresses of a name; if permit throws, there is none', async () => {
    const lookUp = fakeLookUp({ 'page.test': [['127.0.0.1', '::1', '10.0.0.1']] })
    const connects = countConnects()
    const failure = await failureOf(
      nodeWeb({ lookUp }).request(
        new URL('http://page.test:81/'),
        options({
          permit: ({ addresses }) => {
            throw new ToolError('permission_denied', addresses.join(' '))
          },
        }),
      ),
    )
    expect(failure.message).toBe('127.0.0.1 ::1 10.0.0.1')
    expect(connects()).toBe(0)
  })

  test('use the checked address even if a name resolves differently a moment later', async () => {
    const server = await serve(body('page'))
    const times = Number(process.env['TOOLGLOT_REBINDS'] ?? 200)
    const url = new URL(`http://page.test:${server.port}/`)
    for (let time = 0; time < times; time++) {
      const web = nodeWeb({ lookUp: fakeLookUp({ 'page.test': [['127.0.0.1'], ['127.0.0.2']] }) })
      await web.request(url, options())
    }
    expect(server.connections).toEqual(Array.from({ length: times }, () => '127.0.0.1'))
    if (process.platform !== 'linux') return
    // The other address would also answer (on Linux, all of 127.0.0.0/8 does): only the check
    // prevents the request.
    const other = nodeWeb({ lookUp: fakeLookUp({ 'page.test': [['127.0.0.2']] }) })
    await other.request(url, options())
    expect(server.connections.at(-1)).toBe('127.0.0.2')
  })

  test('to a literal address need no lookup, but a check', async () => {
    const server = await serve(body('page'))
    const agent = agentForAddresses(['127.0.0.1'])
    onTestFinished(() => agent.destroy())
    const connects = countConnects()
    for (const host of ['127.0.0.2', '[::1]', '[::ffff:127.0.0.2]', '0x7f000002'])
      await expect(
        request(`http://${host}:${server.port}/`, { dispatcher: agent }),
      ).rejects.toThrow('was not checked')
    expect(connects()).toBe(0)
    for (const host of ['127.0.0.1', 'any.test', '[::ffff:127.0.0.1]']) {
      const answer = await request(`http://${host}:${server.port}/`, { dispatcher: agent })
      expect(await answer.body.text()).toBe('page')
    }
    expect(new Set(server.connections)).toEqual(new Set(['127.0.0.1']))
  })

  test.each([
    ['the loopback address', '127.0.0.1'],
    ['a private network', '10.1.2.3'],
    ['a cloud metadata service', '169.254.169.254'],
    ['IPv4 in IPv6', '::ffff:127.0.0.1'],
    ['translated', '64:ff9b::7f00:1'],
    ['one of several', '93.184.216.34', '192.168.0.1'],
    ['nothing'],
  ])('are refused for a name that resolves to %s', async (_, ...addresses) => {
    const connects = countConnects()
    const url = new URL('https://page.test/')
    const failure = await failureOf(
      nodeWeb({ lookUp: fakeLookUp({ 'page.test': [addresses] }) }).request(
        url,
        options({
          permit: ({ addresses: found, own }) => {
            const { verdict, why } = judgeHop(url.href, found, [], { own })
            if (verdict === 'deny') throw new ToolError('permission_denied', why)
          },
        }),
      ),
    )
    expect(failure.errorType).toBe('permission_denied')
    expect(connects()).toBe(0)
  })
})

describe('bodies', () => {
  const maxBytes = 100_000

  test.each<[string, Uint8Array]>([
    ['gzip', gzipSync('page '.repeat(1000))],
    ['br', brotliCompressSync('page '.repeat(1000))],
  ])('compressed with %s', async (encoding, packed) => {
    const server = await serve(body(packed, 'text/plain', { 'content-encoding': encoding }))
    const answer = await nodeWeb().request(new URL(`http://127.0.0.1:${server.port}`), options())
    expect(text(answer.body)).toBe('page '.repeat(1000))
  })

  const huge = Buffer.alloc(20_000_000)
  const endless =
    (part: Uint8Array): RequestListener =>
    (_request, response) => {
      const write = (): void => {
        while (response.write(part));
        response.once('drain', write)
      }
      write()
    }
  test.each<[string, string, Parameters<typeof serve>[0]]>([
    ['with a huge content-length', 'too_large', body(huge)],
    ['huge without a content-length', 'too_large', endless(huge.subarray(0, 16_384))],
    [
      'packed, endless and empty',
      'too_large',
      (request, response) => {
        response.setHeader('content-encoding', 'gzip')
        endless(Buffer.concat(Array.from({ length: 500 }, () => gzipSync(''))))(request, response)
      },
    ],
    [
      'a bomb by gzip',
      'too_large',
      body(gzipSync(huge), 'text/plain', { 'content-encoding': 'gzip' }),
    ],
    [
      'a bomb by brotli',
      'too_large',
      body(
        brotliCompressSync(huge, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } }),
        'text/plain',
        { 'content-encoding': 'br' },
      ),
    ],
    [
      'packed many times',
      'unknown_encoding',
      body(gzipSync(gzipSync('x')), 'text/plain', { 'content-encoding': 'gzip, gzip' }),
    ],
    [
      'packed wrongly',
      'broken_response',
      body('no gzip', 'text/plain', { 'content-encoding': 'gzip' }),
    ],
    [
      'cut while packed',
      'broken_response',
      body(gzipSync('page '.repeat(1000)).subarray(0, 30), 'text/plain', {
        'content-encoding': 'gzip',
      }),
    ],
    [
      'cut',
      'unreachable',
      (_request, response) => {
        response.writeHead(200, { 'content-length': '1000' })
        response.write('half', () => response.destroy())
      },
    ],
  ])('%s: %s', async (_, code, answer) => {
    const server = await serve(answer)
    const before = process.memoryUsage().arrayBuffers
    const failure = await failureOf(
      nodeWeb().request(new URL(`http://127.0.0.1:${server.port}`), options({ maxBytes })),
    )
    expect(failure.details).toMatchObject({ code })
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10_000_000)
    await expect.poll(server.open).toBe(0)
  })

  test('are not read if unwanted', async () => {
    const server = await serve(body(huge, 'image/png'))
    const answer = await nodeWeb().request(
      new URL(`http://127.0.0.1:${server.port}`),
      options({ wantsBody: ({ headers }) => headers['content-type'] !== 'image/png' }),
    )
    expect(answer).toMatchObject({ status: 200, body: new Uint8Array() })
    await expect.poll(server.open).toBe(0)
  })
})

describe('can be stopped in the middle', () => {
  test.each<[string, Parameters<typeof serve>[0]]>([
    ['before the head', () => {}],
    ['in the body', (_request, response) => void response.writeHead(200).write('begin')],
  ])('%s: at once, and nothing stays open', async (_, answer) => {
    const server = await serve(answer)
    const stop = new AbortController()
    const fetched = nodeWeb().request(
      new URL(`http://127.0.0.1:${server.port}`),
      options({ signal: stop.signal }),
    )
    await expect.poll(() => server.paths.length).toBe(1)
    stop.abort(new Error('enough'))
    await expect(fetched).rejects.toThrow('enough')
    await expect.poll(server.open).toBe(0)
  })

  test('can be stopped during a lookup', async () => {
    const stop = new AbortController()
    const web = nodeWeb({ lookUp: () => new Promise(() => {}) })
    const fetched = web.request(new URL('https://page.test'), options({ signal: stop.signal }))
    stop.abort(new Error('enough'))
    await expect(fetched).rejects.toThrow('enough')
  })
})

describe('failures contain advice', () => {
  test('an unknown host', async () => {
    const failure = await failureOf(
      nodeWeb({ lookUp: fakeLookUp({}) }).request(new URL('https://nothing.test/'), options()),
    )
    expect(failure).toMatchObject({ errorType: 'not_found', details: { code: 'unknown_host' } })
    expect(failure.message).toBe('Unknown host nothing.test. Check its name.')
  })

  test('no server is listening', async () => {
    const port = await freePort()
    const failure = await failureOf(
      nodeWeb().request(new URL(`http://127.0.0.1:${port}/`), options()),
    )
    expect(failure.details).toMatchObject({ code: 'unreachable' })
  })

  test('a server with an invalid certificate gets nothing', async () => {
    const pem = (name: string) =>
      readFileSync(new URL(`../../../test/fixtures/self-signed/${name}.pem`, import.meta.url))
    const server = await serve(body('page'), (listener) =>
      createTlsServer({ key: pem('key'), cert: pem('cert') }, listener),
    )
    const web = nodeWeb({ lookUp: fakeLookUp({ 'page.test': [['127.0.0.1']] }) })
    for (const host of ['page.test', '127.0.0.1']) {
      const failure = await failureOf(
        web.request(new URL(`https://${host}:${server.port}/`), options()),
      )
      expect(failure.details).toMatchObject({ code: 'certificate' })
    }
    expect(server.paths).toEqual([])
  })

  test('a server that does not speak HTTP', async () => {
    const server = await serve(body(''), () => createServer((socket) => socket.end('SSH-2.0\r\n')))
    const failure = await failureOf(
      nodeWeb().request(new URL(`http://127.0.0.1:${server.port}`), options()),
    )
    expect(failure.details).toMatchObject({ code: 'broken_response' })
  })
})
