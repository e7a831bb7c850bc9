import { scriptedModel } from '@toolglot/agent/testing'
import { openWorkspace } from '@toolglot/workspace'
import { afterEach, describe, expect, expectTypeOf, test, vi } from 'vitest'
import { z } from 'zod'
import { folderOf } from '../../../../tests/helpers/folder.ts'
import { eventsResponse } from '../../test/fake-runs.ts'
import type { Endpoint } from '../api/endpoint.ts'
import type { ListedProtocol } from '../api/routes/protocols.ts'
import { type Server, startServer } from '../server.ts'
import { ApiError } from './api-error.ts'
import { type Client, createClient } from './client.ts'
import { readMessages } from './read-messages.ts'
import type { RequestAnswer, RequestArguments, RequestInput } from './request-types.ts'

/** A fake server that gives every request this answer. */
function fakeServer(answer: () => Response): { requests: Request[]; client: LooseClient } {
  const requests: Request[] = []
  const fetch = (async (input: string, init: RequestInit) => {
    requests.push(new Request(input, init))
    return answer()
  }) as typeof globalThis.fetch
  const client = createClient({ url: 'http://server/base/', token: 'secret', fetch })
  return { requests, client: client as unknown as LooseClient }
}

/** The client as seen by a program without types. */
interface LooseClient extends Pick<Client, 'approvals' | 'events'> {
  request(name: string, input?: object): Promise<unknown>
}

describe('request', () => {
  test('sends parameters, query, body and token', async () => {
    const { client, requests } = fakeServer(() => Response.json({ ok: true }))
    const answer = await client.request('POST /api/things/:thing/parts/:part', {
      parameters: { thing: 'a/b ü', part: '%2e' },
      query: { limit: 3, folder: '/a b', none: undefined, all: true },
      body: { x: 1 },
    })
    expect(answer).toEqual({ ok: true })
    const [request] = requests as [Request]
    expect(request.url).toBe(
      'http://server/base/api/things/a%2Fb%20%C3%BC/parts/%252e?limit=3&folder=%2Fa+b&all=true',
    )
    expect([request.method, request.redirect, await request.text()]).toEqual([
      'POST',
      'manual',
      '{"x":1}',
    ])
    expect(Object.fromEntries(request.headers)).toEqual({
      authorization: 'Bearer secret',
      'content-type': 'application/json',
      'x-toolglot': '1',
    })
  })

  test.each(['GET', 'DELETE'])('%s has no body', async (method) => {
    const { client, requests } = fakeServer(() => new Response(null, { status: 204 }))
    expect(await client.request(`${method} /api/things`)).toBeUndefined()
    const [request] = requests as [Request]
    expect([request.body, request.headers.get('content-type')]).toEqual([null, null])
  })

  test('sends an empty object if an endpoint has no input', async () => {
    const { client, requests } = fakeServer(() => new Response(null, { status: 204 }))
    await client.request('POST /api/things/:thing/stop', { parameters: { thing: 'a' } })
    expect(await requests[0]!.text()).toBe('{}')
  })

  test.each(['', '.', '..', undefined, 1])('refuses the parameter %j', async (thing) => {
    const { client, requests } = fakeServer(() => Response.json({}))
    await expect(
      client.request('DELETE /api/things/:thing', { parameters: { thing } }),
    ).rejects.toThrow('The parameter thing')
    expect(requests).toEqual([])
  })

  test('returns the Response if the body is not JSON', async () => {
    const headers = { 'content-type': 'application/x-ndjson' }
    const { client } = fakeServer(() => new Response('{}\n{}\n', { headers }))
    const answer = (await client.request('GET /api/things/export')) as Response
    expect(await answer.text()).toBe('{}\n{}\n')
  })

  test('throws an ApiError with the complete problem', async () => {
    const problem = {
      type: 'urn:toolglot:problem:invalid_request',
      title: 'Invalid request',
      status: 400,
      code: 'invalid_request',
      detail: 'size: expected a number',
      action: 'Look it up.',
      problems: [{ path: 'size', problem: 'expected a number' }],
      other: 1,
    }
    const headers = { 'content-type': 'application/problem+json' }
    const { client } = fakeServer(() => Response.json(problem, { status: 400, headers }))
    const error = await client.request('POST /api/things').catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ApiError)
    const { status, code, detail, action, problems } = problem
    expect(error).toMatchObject({ status, code, detail, action, problems, problem })
    expect((error as ApiError).message).toBe('size: expected a number Look it up.')
  })

  test.each([
    [502, 'text/html'],
    [302, 'text/plain'],
  ])('%d as %s is an ApiError that suggests what may have answered', async (status, type) => {
    const headers = { 'content-type': type, location: 'https://elsewhere.example' }
    const { client } = fakeServer(() => new Response('secret', { status, headers }))
    await expect(client.request('GET /api/things')).rejects.toMatchObject({
      name: 'ApiError',
      status,
      code: 'unexpected_response',
      message: expect.stringContaining('A proxy') as string,
      problems: [],
    })
  })
})

describe('approvals', () => {
  afterEach(() => void vi.unstubAllGlobals())

  test('are yielded immediately and after every change, over several connections', async () => {
    const real = globalThis.setTimeout
    vi.stubGlobal('setTimeout', (callback: () => void, time = 0) =>
      time >= 45_000 ? real(callback, time) : setImmediate(callback),
    )
    const lists = ['[]', '[{"key":"a"}]', '[{"key":"b"}]', '[{"key":"b"},{"key":"c"}]']
    const message = (data: string): string => `data: ${data}\n\n`
    // Every connection begins with the list that ended the previous one.
    let count = 0
    const { client } = fakeServer(() => {
      const text = lists.slice(count, (count += 1) + 1).map(message)
      return eventsResponse(new TextEncoder().encode(text.join('')), { piece: 3, isCut: true })
    })
    const seen: string[] = []
    const told: string[] = []
    const options = {
      onConnect: () => void told.push('connected'),
      onDisconnect: ({ message }: Error) => void told.push(message),
    }
    for await (const list of client.approvals(options)) {
      if (seen.push(JSON.stringify(list)) === lists.length) break
    }
    expect(seen).toEqual(lists)
    expect(told).toEqual(['connected', 'terminated', 'connected', 'terminated', 'connected'])
  })
})

test('rejects an endless message', async () => {
  let sent = 0
  const piece = new TextEncoder().encode('x'.repeat(1 << 20))
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        controller.enqueue(sent === 0 ? new TextEncoder().encode('data: ') : piece)
        sent += 1
      },
    },
    { highWaterMark: 0 },
  )
  const read = async (): Promise<void> => {
    for await (const _ of readMessages(new Response(body), new AbortController().signal));
  }
  await expect(read()).rejects.toThrow()
  expect(sent).toBeLessThan(40)
})

describe('with a real server', () => {
  let server: Server | undefined
  afterEach(() => server?.close())

  test('yields a list, and throws on a refusal', async () => {
    const stateFolder = folderOf({})
    const env = { HOME: stateFolder, XDG_STATE_HOME: stateFolder }
    const token = 'given-token-with-more-than-32-characters'
    server = await startServer({
      stateFolder,
      token,
      port: 0,
      workspace: await openWorkspace(stateFolder, { env }),
      models: {
        list: () => Promise.resolve([]),
        find: () => Promise.resolve({ model: scriptedModel([]) }),
      },
      limits: { stopTimeout: 100 },
    })
    const client = createClient({ url: server.url, token })
    const protocols = await client.request('GET /api/protocols')
    expectTypeOf(protocols).toEqualTypeOf<readonly ListedProtocol[]>()
    expect(protocols.map(({ id }) => id)).toContain('hermes')
    await expect(
      client.request('GET /api/protocols', { query: { folder: 'relative' } }),
    ).rejects.toMatchObject({ code: 'folder_not_found', status: 404 })
    const stranger = createClient({ url: server.url, token: 'wrong' })
    await expect(stranger.request('GET /api/protocols')).rejects.toMatchObject({
      code: 'unauthorized',
    })
    await expect(stranger.events('r').next()).rejects.toMatchObject({ status: 401 })
  })
})

describe('types', () => {
  interface Change {
    readonly size: number
    readonly name?: string | undefined
  }
  /** Fake endpoints. */
  const change = {
    name: 'PUT /api/things/:thing/parts/:part',
    about: '',
    body: z.strictObject({ size: z.number(), name: z.string().optional() }),
    answers: {},
    handle: () => ({ done: true }),
  } satisfies Endpoint as unknown as Endpoint<
    'PUT /api/things/:thing/parts/:part',
    { readonly body: Change },
    { readonly done: boolean }
  >
  const list = { name: 'GET /api/things' } as unknown as Endpoint<
    'GET /api/things',
    { readonly query: { readonly limit?: number | undefined } },
    readonly string[]
  >
  const stop = { name: 'POST /api/stop' } as unknown as Endpoint<
    'POST /api/stop',
    object,
    undefined
  >
  const choose = { name: 'POST /api/choose' } as unknown as Endpoint<
    'POST /api/choose',
    { readonly body: { readonly a: string } | { readonly b: string } },
    Response
  >
  type Fake = typeof change | typeof list | typeof stop | typeof choose
  type ChangeName = 'PUT /api/things/:thing/parts/:part'
  const parameters = { thing: 'a', part: 'b' }

  test('an input has exactly the fields of the endpoint', () => {
    const good: RequestInput<Fake, ChangeName> = { parameters, body: { size: 1 } }
    // @ts-expect-error a parameter is missing
    const one: RequestInput<Fake, ChangeName> = { parameters: { thing: 'a' }, body: { size: 1 } }
    // @ts-expect-error a field has the wrong type
    const two: RequestInput<Fake, ChangeName> = { parameters, body: { size: '1' } }
    // @ts-expect-error a field is unknown
    const three: RequestInput<Fake, ChangeName> = { parameters, body: { size: 1, other: 1 } }
    // @ts-expect-error the body is missing
    const four: RequestInput<Fake, ChangeName> = { parameters }
    // @ts-expect-error it takes no query
    const five: RequestInput<Fake, ChangeName> = { parameters, body: { size: 1 }, query: {} }
    const six: RequestInput<Fake, 'POST /api/choose'> = { body: { b: '' } }
    // @ts-expect-error neither of the two
    const seven: RequestInput<Fake, 'POST /api/choose'> = { body: {} }
    expect([good, one, two, three, four, five, six, seven]).toHaveLength(8)
  })

  test('an input without required fields is optional', () => {
    expectTypeOf<[]>().toExtend<RequestArguments<Fake, 'GET /api/things'>>()
    expectTypeOf<[]>().toExtend<RequestArguments<Fake, 'POST /api/stop'>>()
    expectTypeOf<[]>().not.toExtend<RequestArguments<Fake, ChangeName>>()
    expectTypeOf<[]>().not.toExtend<RequestArguments<Fake, 'POST /api/choose'>>()
  })

  test('an answer has the type of the endpoint', () => {
    expectTypeOf<RequestAnswer<Fake, ChangeName>>().toEqualTypeOf<{ readonly done: boolean }>()
    expectTypeOf<RequestAnswer<Fake, 'GET /api/things'>>().toEqualTypeOf<readonly string[]>()
    expectTypeOf<RequestAnswer<Fake, 'POST /api/stop'>>().toEqualTypeOf<undefined>()
  })

  test('only existing endpoints are allowed', () => {
    const ask = (client: Client): unknown[] => [
      // @ts-expect-error there is no such endpoint
      client.request('GET /api/protocol'),
      // @ts-expect-error there is no such field
      client.request('GET /api/protocols', { query: { directory: '/' } }),
      // @ts-expect-error it takes no body
      client.request('GET /api/protocols', { body: {} }),
    ]
    expect(ask).toBeTypeOf('function')
  })
})
