import { execute, type ToolContext } from '@toolglot/agent'
import { judgeFetch, type Rule } from '@toolglot/permissions'
import { judgePage } from '@toolglot/permissions/internal'
import { describe, expect, test } from 'vitest'
import type { Host } from '../host/host.ts'
import { nodeWeb, type NodeWebOptions } from '../node/web/web.ts'
import { countConnects } from '../../test/connects.ts'
import { fakeLookUp } from '../../test/fake-look-up.ts'
import { allow, body, failureOf, loopback, redirect, serve } from '../../test/web-server.ts'
import { webFetchTool, type WebFetchArguments, type WebFetchOptions } from './web-fetch.ts'
import { share } from '../../../../tests/helpers/size.ts'

interface Setup extends WebFetchOptions, NodeWebOptions {
  readonly allowed?: readonly Rule[]
  readonly signal?: AbortSignal
}

const context = (
  rules: readonly Rule[] = loopback,
  signal = new AbortController().signal,
): ToolContext => ({ signal, call: '1', progress: () => {}, judgePage: judgePage(rules) })

function create({ lookUp, ...options }: Omit<Setup, 'allowed' | 'signal'> = {}) {
  const web = nodeWeb(lookUp ? { lookUp } : {})
  return webFetchTool({ web }, { perMinute: 1000, ...options })
}

async function fetchWith(
  { allowed, signal, ...setup }: Setup,
  args: Omit<WebFetchArguments, 'prompt'>,
) {
  return create(setup).execute({ prompt: 'what', ...args }, context(allowed, signal))
}

const page = `<title>Title</title><main><h1>Title</h1><p>${'Some words. '.repeat(30)}</p></main>`

describe('content', () => {
  test('is Markdown for a page, and marked as untrusted', async () => {
    const server = await serve({ '/': body(page) })
    const tool = create()
    const args = { url: `http://127.0.0.1:${server.port}/`, prompt: 'the words' }
    const result = await tool.execute(args, context())
    expect(result).toMatchObject({
      untrusted: true,
      final_url: args.url,
      status: 200,
      content_type: 'text/html',
    })
    expect(result.content).toMatch(/^# Title\n\nSome words\./)
    const shown = tool.show!(result, args)
    expect(shown).toMatch(/^<untrusted_content source="http:\/\/127\.0\.0\.1:\d+\/">\n# Title/)
    expect(shown).toContain('Asked for: the words')
  })

  test.each([
    ['text/plain', 'plain <b>text</b>'],
    ['application/json', '{"a": "<p>"}'],
    ['application/ld+json; charset=utf-8', '{}'],
    ['application/atom+xml', '<feed/>'],
    ['text/markdown', '# Title'],
    ['application/octet-stream', 'a script\n'],
    ['', 'no type at all'],
  ])('is unchanged for %s', async (type, text) => {
    const server = await serve(body(text, type))
    const result = await fetchWith({}, { url: `http://127.0.0.1:${server.port}/` })
    expect(result.content).toBe(text)
  })

  test.each<[string, string | Uint8Array]>([
    ['application/pdf', '%PDF-1.7'],
    ['text/plain', '%PDF-1.7'],
    ['image/png', '\x89PNG'],
    ['video/mp4', 'x'],
    ['application/octet-stream', Uint8Array.of(0, 1, 2)],
    ['text/html', '%PDF-1.7'],
  ])('%s: a notice, no bytes', async (type, bytes) => {
    const server = await serve(body(bytes, type))
    const result = await fetchWith({}, { url: `http://127.0.0.1:${server.port}/` })
    expect(result.content).toContain('This is not text')
    expect(result.content).toContain(type)
    expect(result).toMatchObject({ status: 200 })
  })

  test('is the source of a page on request; each format is cached separately', async () => {
    const server = await serve(body(page))
    const tool = create()
    const args = { url: `http://127.0.0.1:${server.port}/`, prompt: '' }
    const source = await tool.execute({ ...args, format: 'html' }, context())
    expect(source.content).toBe(page)
    const read = await tool.execute(args, context())
    expect(read.content).not.toContain('<p>')
    expect(read.from_cache).toBeUndefined()
  })

  test('is converted before it is truncated, and the parts form the whole page', async () => {
    const text = '🙂x'.repeat(1000)
    const server = await serve(body(text, 'text/plain'))
    const tool = create({ maxCharacters: 1000 })
    let offset: number | undefined = 0
    let whole = ''
    while (offset !== undefined) {
      const args = { url: `http://127.0.0.1:${server.port}/`, prompt: '', offset }
      const piece = await tool.execute(args, context())
      expect(piece.content.length).toBeLessThanOrEqual(1000)
      expect(piece.content).not.toMatch(/^[\udc00-\udfff]|[\ud800-\udbff]$/)
      if (piece.truncated) expect(tool.show!(piece, args)).toContain(`offset=${piece.next_offset}`)
      whole += piece.content
      offset = piece.next_offset
    }
    expect(whole).toBe(text)
    expect(server.paths).toHaveLength(1)
    const past = { url: `http://127.0.0.1:${server.port}/`, prompt: '', offset: 99_999 }
    expect((await failureOf(tool.execute(past, context()))).details).toMatchObject({
      code: 'past_end',
    })
  })

  test('is decoded by the header, the page or the byte order mark', async () => {
    const latin = Buffer.from('caf\xe9', 'latin1')
    const server = await serve({
      '/server': body(latin, 'text/plain; charset=ISO-8859-1'),
      '/page': body(Buffer.from('<meta charset="latin1"><p>caf\xe9', 'latin1'), 'text/html'),
      '/mark': body(Buffer.from('\ufeffcafé', 'utf16le'), 'text/plain'),
      '/unknown': body('café', 'text/plain; charset=nonsense'),
    })
    for (const path of ['server', 'page', 'mark', 'unknown']) {
      const { content } = await fetchWith({}, { url: `http://127.0.0.1:${server.port}/${path}` })
      expect(content).toBe('café')
    }
  })

  test("is the extractor's answer; if it fails, the page", async () => {
    const server = await serve(body('the page', 'text/plain'))
    const url = `http://127.0.0.1:${server.port}/`
    const found = await fetchWith(
      { extractor: ({ prompt, content }) => Promise.resolve(`${prompt}: ${content.length}`) },
      { url },
    )
    expect(found).toMatchObject({ content: 'what: 8', extracted: true, untrusted: true })
    const failed = await fetchWith({ extractor: () => Promise.reject(new Error('busy')) }, { url })
    expect(failed).toMatchObject({
      content: 'the page',
      notice: expect.stringContaining('busy') as string,
    })
    expect(failed.extracted).toBeUndefined()
  })
})

describe('redirects', () => {
  test('are followed and reported on the same host', async () => {
    const server = await serve({
      '/a': redirect('/b', 301),
      '/b': redirect('c'),
      '/c': body('end', 'text/plain'),
    })
    const result = await fetchWith({}, { url: `http://127.0.0.1:${server.port}/a` })
    expect(result).toMatchObject({
      content: 'end',
      final_url: `http://127.0.0.1:${server.port}/c`,
    })
  })

  test('are reported, not followed, to another host; another port is another host', async () => {
    const other = await serve(body('other'))
    for (const to of ['https://example.org/x', `http://127.0.0.1:${other.port}/`]) {
      const server = await serve(redirect(to))
      const result = await fetchWith({}, { url: `http://127.0.0.1:${server.port}/` })
      expect(result).toMatchObject({ redirect: to, status: 302 })
      expect(result.content).toContain(to)
    }
    expect(other.connections).toEqual([])
  })

  test.each([
    ['a cloud', 'http://169.254.169.254/latest/meta-data/'],
    ['a network', 'http://10.0.0.1/'],
    ['this machine', 'http://localhost/'],
    ['this machine, mapped to IPv6', 'http://[::ffff:7f00:2]/'],
    ['this machine, in one number', '//2130706434/'],
    ['a file', 'file:///etc/passwd'],
    ['another protocol', 'gopher://127.0.0.1:6379/_X'],
    ['a user', 'http://user@example.org/'],
    ['nowhere', 'http://'],
  ])('are refused without a connection to %s', async (_, to) => {
    const server = await serve(redirect(to))
    const connects = countConnects()
    const failure = await failureOf(fetchWith({}, { url: `http://127.0.0.1:${server.port}/` }))
    expect(['permission_denied', 'execution_failed']).toContain(failure.errorType)
    expect(connects()).toBe(1)
  })

  test('are looked up and decided on again if a host resolves differently', async () => {
    const server = await serve({ '/a': redirect('/b'), '/b': body('secret', 'text/plain') })
    const lookUp = fakeLookUp({ 'page.test': [['127.0.0.1'], ['127.0.0.2']] })
    const allowed = allow('WebFetch(domain:127.0.0.1)', 'WebFetch(domain:page.test)')
    const url = `http://page.test:${server.port}/a`
    const failure = await failureOf(fetchWith({ lookUp, allowed }, { url }))
    expect(failure).toMatchObject({
      errorType: 'permission_denied',
      details: { code: 'closed_address' },
    })
    expect(failure.message).toContain('resolves to 127.0.0.2')
    expect(server.paths).toEqual(['/a'])
    expect(server.connections).toEqual(['127.0.0.1'])
  })

  test('are limited to ten', async () => {
    const server = await serve((request, response) => {
      redirect(`/${Number(request.url!.slice(1)) + 1}`)(request, response)
    })
    const failure = await failureOf(fetchWith({}, { url: `http://127.0.0.1:${server.port}/0` }))
    expect(failure.details).toMatchObject({ code: 'too_many_redirects' })
    expect(server.paths).toHaveLength(11)
  })

  test('are followed to a raw file on GitHub if its host is allowed, else reported', async () => {
    const url = 'https://github.com/o/r/blob/main/src/a.ts'
    const raw = 'https://raw.githubusercontent.com/o/r/main/src/a.ts'
    const connects = countConnects()
    const github = allow('WebFetch(domain:github.com)')
    expect(await fetchWith({ allowed: github }, { url })).toMatchObject({ redirect: raw })
    expect(connects()).toBe(0)
    const lookUp = fakeLookUp({})
    const both = [...github, ...allow('WebFetch(domain:raw.githubusercontent.com)')]
    const fetched = await failureOf(fetchWith({ allowed: both, lookUp }, { url }))
    expect(fetched.message).toContain('Unknown host raw.githubusercontent.com')
    const denied = [...github, { ...both[1]!, verdict: 'deny' as const }]
    const kept = await failureOf(fetchWith({ allowed: denied, lookUp }, { url }))
    expect(kept.message).toContain('Unknown host github.com')
  })
})

describe('addresses', () => {
  /** Host names that resolve to forbidden addresses. Other names do not resolve. */
  const lookUp = fakeLookUp({
    localhost: [['127.0.0.1', '::1']],
    'metadata.google.internal': [['169.254.169.254']],
    '127.0.0.1.names.test': [['127.0.0.1']],
    'router.test': [['192.168.1.1']],
    'both.test': [['93.184.216.34', '10.0.0.1']],
    'six.test': [['2606:2800:21f:cb07:6820:80da:af6b:8b2c', 'fd00::1']],
    'mapped.test': [['::ffff:169.254.169.254']],
    'translated.test': [['64:ff9b::a9fe:a9fe']],
    'carrier.test': [['100.64.0.1']],
    'none.test': [[]],
  })

  const closed = [
    'http://127.0.0.1/',
    'http://127.0.0.1:PORT/',
    'http://127.255.1.2:PORT/',
    'http://localhost:PORT/',
    'http://localhost.:PORT/',
    'http://LOCALHOST:PORT/',
    'http://app.localhost:PORT/',
    'http://127.1:PORT/',
    'http://2130706433:PORT/',
    'http://0x7f000001:PORT/',
    'http://0x7f.1:PORT/',
    'http://0177.0.0.1:PORT/',
    'http://0:PORT/',
    'http://0.0.0.0:PORT/',
    'http://[::1]:PORT/',
    'http://[::]:PORT/',
    'http://[0:0:0:0:0:0:0:1]:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://[::ffff:7f00:1]:PORT/',
    'http://[::127.0.0.1]:PORT/',
    'http://[64:ff9b::7f00:1]:PORT/',
    'http://[2002:7f00:1::]:PORT/',
    'http://[fd00::1]/',
    'http://[fe80::1]/',
    'http://[::ffff:169.254.169.254]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://100.100.100.200/',
    'http://168.63.129.16/',
    'http://10.0.0.1/',
    'http://172.16.0.1/',
    'http://192.168.1.1/',
    'http://100.64.0.1/',
    'http://198.18.0.1/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://127。0。0。1:PORT/',
    'http://①②⑦.0.0.1:PORT/',
    'http://127.0.0.1%2f@example.org:PORT/',
    'http://1.1.1.1&@127.0.0.1:PORT/',
    'http://example.org\\@127.0.0.1:PORT/',
    'http://example.org#@127.0.0.1:PORT/\u0000',
    'http://user:password@127.0.0.1:PORT/',
    'http://metadata.google.internal/',
    'http://printer.local/',
    'http://127.0.0.1.names.test:PORT/',
    'https://router.test/',
    'https://both.test/',
    'https://six.test/',
    'https://mapped.test/',
    'https://translated.test/',
    'https://carrier.test/',
    'https://none.test/',
    'file:///etc/passwd',
    'ftp://127.0.0.1:PORT/',
    'gopher://127.0.0.1:PORT/_X',
    'data:text/html,x',
    'javascript:alert(1)',
    'ws://127.0.0.1:PORT/',
    'unix:/var/run/docker.sock',
    '//127.0.0.1:PORT/',
    'http:127.0.0.1:PORT/',
    '',
  ]
  test.each(share(closed, 3))(
    'are denied for %s even if every page is allowed: 0 connections',
    async (template) => {
      const server = await serve(body('secret'))
      const connects = countConnects()
      const url = template.replace('PORT', String(server.port))
      const failure = await failureOf(fetchWith({ lookUp, allowed: allow('WebFetch') }, { url }))
      expect(['permission_denied', 'invalid_input']).toContain(failure.errorType)
      expect(failure.message.length).toBeGreaterThan(20)
      expect(connects()).toBe(0)
      expect(server.connections).toEqual([])
    },
  )

  test('are reached if a rule allows them, so the connection count works', async () => {
    const server = await serve(body('open', 'text/plain'))
    const connects = countConnects()
    const url = `http://127.0.0.1:${server.port}/`
    expect((await fetchWith({}, { url })).content).toBe('open')
    expect(connects()).toBe(1)
  })

  test('are subject to the rules of each call, even for cached pages', async () => {
    const server = await serve(body('open', 'text/plain'))
    const lookUp = fakeLookUp({ 'inside.test': [['127.0.0.1']] })
    const tool = create({ lookUp })
    const args = { url: `http://inside.test:${server.port}/`, prompt: '' }
    const named = [...loopback, ...allow('WebFetch(domain:inside.test)')]
    await tool.execute(args, context(named))
    expect(await tool.execute(args, context(named))).toMatchObject({ from_cache: true })
    for (const [rules, code] of [
      [[...named, { ...named.at(-1)!, verdict: 'deny' as const }], 'denied_by_rule'],
      // One rule allows the host, but another must allow its address on this machine.
      [allow('WebFetch(domain:inside.test)'), 'closed_address'],
      [[], 'closed_address'],
    ] as const) {
      const failure = await failureOf(tool.execute(args, context(rules)))
      expect(failure.details).toMatchObject({ code })
    }
    expect(server.connections).toHaveLength(1)
  })

  test('must be on the public internet without a decision', async () => {
    const { judgePage: _, ...undecided } = context()
    const args = { url: 'http://127.0.0.1:1/', prompt: '' }
    const failure = await failureOf(create().execute(args, undecided))
    expect(failure.details).toMatchObject({ code: 'closed_address' })
  })
})

describe('limits', () => {
  test('cache a page for 15 minutes, but not a failure', async () => {
    let fails = true
    const server = await serve((request, response) =>
      fails ? void response.writeHead(500).end() : body('page', 'text/plain')(request, response),
    )
    const tool = create()
    const args = { url: `http://127.0.0.1:${server.port}/#part`, prompt: '' }
    expect((await failureOf(tool.execute(args, context()))).details).toMatchObject({ status: 500 })
    fails = false
    expect((await tool.execute(args, context())).from_cache).toBeUndefined()
    expect((await tool.execute(args, context())).from_cache).toBe(true)
    expect(server.paths).toEqual(['/', '/'])
  })

  test('apply to requests to one host', async () => {
    const server = await serve(body('page', 'text/plain'))
    const tool = create({ perMinute: 2 })
    const get = (path: number) =>
      tool.execute({ url: `http://127.0.0.1:${server.port}/${path}`, prompt: '' }, context())
    await get(1)
    await get(2)
    const failure = await failureOf(get(3))
    expect(failure.details).toMatchObject({ code: 'rate_limited' })
    expect(failure.message).toMatch(/Wait \d+ seconds/)
    expect((await get(1)).from_cache).toBe(true)
    expect(server.paths).toHaveLength(2)
  })

  test('apply to a slow server', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' })
      const drip = setInterval(() => response.write('x'), 10)
      response.once('close', () => clearInterval(drip))
    })
    const url = `http://127.0.0.1:${server.port}/`
    const failure = await failureOf(fetchWith({ timeout: 200 }, { url }))
    expect(failure).toMatchObject({ errorType: 'timeout', details: { code: 'slow' } })
    await expect.poll(server.open).toBe(0)
  })

  test('apply to a huge page, which is not read to its end', async () => {
    const server = await serve(body(Buffer.alloc(300_000, 'x'), 'text/plain'))
    const url = `http://127.0.0.1:${server.port}/`
    const failure = await failureOf(fetchWith({ maxBytes: 200_000 }, { url }))
    expect(failure.details).toMatchObject({ code: 'too_large' })
    expect(failure.message).toContain('0.2 MB')
  })

  test('do not delay an abort', async () => {
    const server = await serve(() => {})
    const stop = new AbortController()
    const url = `http://127.0.0.1:${server.port}/`
    const fetched = fetchWith({ signal: stop.signal }, { url })
    await expect.poll(() => server.paths.length).toBe(1)
    stop.abort(new Error('enough'))
    await expect(fetched).rejects.toThrow('enough')
    await expect.poll(server.open).toBe(0)
  })

  test.each([
    [404, 'not_found', 'page not found'],
    [410, 'not_found', 'page not found'],
    [401, 'execution_failed', 'requires a login'],
    [403, 'execution_failed', 'access denied'],
    [429, 'execution_failed', 'Wait 7 seconds'],
    [500, 'execution_failed', 'server failed'],
    [304, 'execution_failed', 'not a page'],
    [302, 'execution_failed', 'without a target'],
  ])('%i: %s, with advice', async (status, type, says) => {
    const server = await serve(
      (_request, response) => void response.writeHead(status, { 'retry-after': '7' }).end(),
    )
    const failure = await failureOf(fetchWith({}, { url: `http://127.0.0.1:${server.port}/` }))
    expect(failure).toMatchObject({ errorType: type, details: { status } })
    expect(failure.message).toContain(says)
  })
})

test('does not fetch a page that the rules do not allow in a run', async () => {
  const server = await serve(body('page', 'text/plain'))
  const host: Pick<Host, 'web'> = { web: nodeWeb() }
  const run = (rules: readonly Rule[], url: string) =>
    execute(
      { id: '1', name: 'WebFetch', args: { url, prompt: 'x' } },
      {
        tools: new Map([['WebFetch', webFetchTool(host)]]) as never,
        permissions: { rules },
        fileSystem: {
          cwd: '/',
          home: '/',
          roots: ['/'],
          platform: 'linux',
          caseSensitive: true,
          follow: (path) => [path],
        },
      },
    )
  const url = `http://127.0.0.1:${server.port}/`
  expect(await run(loopback, url)).toMatchObject({
    status: 'success',
    text: expect.stringContaining('\npage\n') as string,
  })
  expect(await run([], url)).toMatchObject({ failure: { error_type: 'permission_denied' } })
  expect(server.connections).toHaveLength(1)
  expect(judgeFetch([])({ kind: 'fetch', url, because: '' }).verdict).toBe('deny')
})
