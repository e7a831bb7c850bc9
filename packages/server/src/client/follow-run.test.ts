import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  eventsAfter,
  eventsResponse,
  preview,
  printEvents,
  recorded,
  type SentEvent,
} from '../../test/fake-runs.ts'
import { ApiError } from './api-error.ts'
import { createClient } from './client.ts'
import type { EventsOptions } from './follow-run.ts'

type Answer = (lastId: string | null, request: Request) => Response | Promise<Response>

const nothingMore = (): Response => new Response(null, { status: 204 })

/** A fake server: each connection gets the next answer, and the last answer is repeated. */
function fakeServer(...answers: Answer[]) {
  const requests: Request[] = []
  const fetch = (async (input: string, init: RequestInit) => {
    const request = new Request(input, init)
    requests.push(request)
    const answer = answers[Math.min(requests.length, answers.length) - 1]!
    return await answer(request.headers.get('last-event-id'), request)
  }) as typeof globalThis.fetch
  const client = createClient({ url: 'http://server', token: 'secret', fetch })
  return { requests, client }
}

/** The client's pauses, which take no time here. */
let pauses: number[]
beforeEach(() => {
  pauses = []
  const real = globalThis.setTimeout
  vi.stubGlobal('setTimeout', (callback: () => void, time = 0) => {
    if (time >= 45_000) return real(callback, time)
    pauses.push(time)
    return setImmediate(callback)
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

async function idsOf(
  client: ReturnType<typeof createClient>,
  options: EventsOptions = {},
): Promise<string[]> {
  const texts: string[] = []
  for await (const event of client.events('r', options)) texts.push(JSON.stringify(event))
  return texts
}

const jsonOf = (events: readonly SentEvent[]): string[] =>
  events.map(({ event }) => JSON.stringify(event))

const history = [
  recorded(0),
  preview(0, 0, 'aaaaaaaa'),
  preview(0, 1, 'aaaaaaaa'),
  recorded(1),
  recorded(2, 'zwei 🎈 "\n"'),
  preview(2, 0, 'bbbbbbbb'),
]

describe('yields every event once and in order', () => {
  test('if the connection breaks at any place', async () => {
    const bytes = printEvents(history)
    for (let at = 0; at <= bytes.length; at += 1) {
      const { client } = fakeServer(
        () =>
          eventsResponse(bytes.subarray(0, at), {
            piece: 1 + ((at * 31) % 97),
            isCut: at % 2 === 0,
          }),
        (lastId) => eventsResponse(printEvents(eventsAfter(history, lastId))),
        nothingMore,
      )
      expect(await idsOf(client)).toEqual(jsonOf(history))
    }
  })

  test('in one piece or byte by byte', async () => {
    for (const piece of [1, 2, 3, 5, 1000]) {
      const { client } = fakeServer(
        () => eventsResponse(printEvents(history), { piece }),
        nothingMore,
      )
      expect(await idsOf(client)).toEqual(jsonOf(history))
    }
  })

  test('despite many interruptions and restarts, which start different previews', async () => {
    let seed = 7
    const random = (below: number): number =>
      (seed = (seed * 48271) % 2147483647) % Math.max(1, below)
    for (let round = 0; round < 100; round += 1) {
      const length = 20
      let epoch = 0
      const answer: Answer = (lastId) => {
        if (lastId === String(length - 1)) return nothingMore()
        if (random(3) === 0) epoch += 1
        const name = String(epoch).padStart(8, '0')
        const events = Array.from({ length }, (_, seq) => [
          recorded(seq),
          ...(seq < length - 1 ? [preview(seq, 0, name), preview(seq, 1, name)] : []),
        ]).flat()
        const bytes = printEvents(eventsAfter(events, lastId))
        return eventsResponse(bytes.subarray(0, random(bytes.length + 50)), { piece: random(400) })
      }
      const { client } = fakeServer(answer)
      const seqs: number[] = []
      let shown: string[] = []
      for await (const event of client.events('r')) {
        if (event.transient) {
          const { text } = event as unknown as { text: string }
          expect(event.seq).toBe(seqs.at(-1))
          expect(shown).not.toContain(text)
          shown.push(text)
        } else {
          seqs.push(event.seq)
          shown = []
        }
      }
      expect(seqs).toEqual(Array.from({ length }, (_, seq) => seq))
    }
  })

  test('even if the server always begins at the start', async () => {
    const { client } = fakeServer(
      () => eventsResponse(printEvents(history.slice(0, 3)), { isCut: true }),
      () => eventsResponse(printEvents(history.slice(0, 5)), { isCut: true }),
      () => eventsResponse(printEvents(history)),
      nothingMore,
    )
    expect(await idsOf(client)).toEqual(jsonOf(history))
  })

  test('after the last event read', async () => {
    const { client, requests } = fakeServer(
      (lastId) => eventsResponse(printEvents(eventsAfter(history, lastId))),
      nothingMore,
    )
    expect(await idsOf(client, { after: 1, keepOpen: true })).toEqual(jsonOf(history.slice(4)))
    expect(requests.map(({ url, headers }) => [url, headers.get('last-event-id')])).toEqual([
      ['http://server/api/runs/r/events?keepOpen=true', '1'],
      ['http://server/api/runs/r/events?keepOpen=true', '2.0.bbbbbbbb'],
    ])
  })

  test('requests a missing event a second time', async () => {
    const { client, requests } = fakeServer(
      () => eventsResponse(printEvents([recorded(0), recorded(2)])),
      (lastId) => eventsResponse(printEvents(eventsAfter(history, lastId))),
      nothingMore,
    )
    expect(await idsOf(client)).toEqual(jsonOf(history))
    expect(requests[1]!.headers.get('last-event-id')).toBe('0')
  })

  test.each([
    ['leaves events out', [recorded(1)]],
    ['shows previews of what is missing', [preview(4, 0, 'aaaaaaaa')]],
    ['sends invalid ids', [{ ...recorded(0), id: '0x1' }]],
  ])('gives up on a server that always %s', async (_, events) => {
    const { client, requests } = fakeServer(() => eventsResponse(printEvents(events)))
    await expect(idsOf(client)).rejects.toThrow(/Event \d came after event -1|no id/)
    expect(requests).toHaveLength(5)
  })

  test('gives up on a server that does not send JSON', async () => {
    const bytes = new TextEncoder().encode('id: 0\ndata: {"type"\n\n')
    const { client, requests } = fakeServer(() => eventsResponse(bytes))
    await expect(idsOf(client)).rejects.toThrow('not JSON')
    expect(requests).toHaveLength(5)
  })
})

describe('connections', () => {
  const problem = (status: number, headers: Record<string, string> = {}): Response =>
    Response.json(
      {
        type: 'urn:x',
        title: 'x',
        status,
        code: 'run_not_found',
        detail: 'No run.',
        action: 'Go.',
      },
      { status, headers: { 'content-type': 'application/problem+json', ...headers } },
    )

  test.each([400, 401, 403, 404, 409])('ends with an error for %d', async (status) => {
    const { client, requests } = fakeServer(
      () => eventsResponse(printEvents([recorded(0)])),
      () => problem(status),
    )
    const events = client.events('r')
    expect((await events.next()).value).toEqual(recorded(0).event)
    const error = await events.next().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status, code: 'run_not_found', detail: 'No run.', action: 'Go.' })
    expect(requests).toHaveLength(2)
  })

  test('ends with an error for a body that is not an event stream', async () => {
    const { client } = fakeServer(
      () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
    )
    await expect(idsOf(client)).rejects.toMatchObject({ code: 'unexpected_response', status: 200 })
  })

  test('waits as long as the server requests, up to a minute', async () => {
    vi.useFakeTimers()
    const { client, requests } = fakeServer(
      () => problem(429, { 'retry-after': '7' }),
      () => problem(503, { 'retry-after': '100000' }),
      () => problem(502, { 'retry-after': 'soon' }),
      nothingMore,
    )
    const ids = idsOf(client)
    const counts: number[] = []
    for (const time of [6999, 1, 59_999, 1, 1000]) {
      await vi.advanceTimersByTimeAsync(time)
      counts.push(requests.length)
    }
    expect(counts).toEqual([1, 2, 2, 3, 4])
    expect(await ids).toEqual([])
  })

  test('pauses longer while no data arrives, and shorter after an event', async () => {
    const dead: Answer = () => Promise.reject(new TypeError('fetch failed'))
    const { client } = fakeServer(
      ...Array<Answer>(9).fill(dead),
      () => eventsResponse(printEvents([recorded(0)])),
      nothingMore,
    )
    expect(await idsOf(client)).toEqual(jsonOf([recorded(0)]))
    const most = [250, 500, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000, 250]
    expect(pauses).toHaveLength(most.length)
    pauses.forEach((pause, index) => {
      expect(pause).toBeGreaterThanOrEqual(most[index]! / 2)
      expect(pause).toBeLessThanOrEqual(most[index]!)
    })
  })

  test('gives up a connection after 45 seconds without a byte, unless there are heartbeats', async () => {
    vi.useFakeTimers()
    let controller!: ReadableStreamDefaultController<Uint8Array>
    const cancel = vi.fn<() => void>()
    const body = new ReadableStream<Uint8Array>({
      start: (given) => void (controller = given),
      cancel,
    })
    const headers = { 'content-type': 'text/event-stream' }
    const { client, requests } = fakeServer(() => new Response(body, { headers }), nothingMore)
    const ids = idsOf(client)
    for (let count = 0; count < 10; count += 1) {
      await vi.advanceTimersByTimeAsync(15_000)
      controller.enqueue(new TextEncoder().encode(': keep-alive\n\n'))
    }
    await vi.advanceTimersByTimeAsync(44_000)
    expect([requests.length, cancel.mock.calls.length]).toEqual([1, 0])
    await vi.advanceTimersByTimeAsync(2000)
    expect(await ids).toEqual([])
    expect([requests.length, cancel.mock.calls.length]).toEqual([2, 1])
  })

  test('gives up a connection to a server that accepts and never answers', async () => {
    vi.useFakeTimers()
    const { client, requests } = fakeServer(() => new Promise(() => {}), nothingMore)
    const ids = idsOf(client)
    await vi.advanceTimersByTimeAsync(46_000)
    expect(await ids).toEqual([])
    expect(requests[0]!.signal.aborted).toBe(true)
  })

  test('notifies the page when the server is gone, and when it is back', async () => {
    const dead: Answer = () => Promise.reject(new TypeError('fetch failed'))
    const { client } = fakeServer(
      dead,
      () => eventsResponse(printEvents(history.slice(0, 2)), { isCut: true }),
      () => problem(503),
      (lastId) => eventsResponse(printEvents(eventsAfter(history, lastId))),
      nothingMore,
    )
    const told: string[] = []
    const events = client.events('r', {
      onConnect: () => told.push('connected'),
      onDisconnect: ({ message }) => told.push(message),
    })
    for await (const { seq, transient } of events) told.push(`${transient ? 'after ' : ''}${seq}`)
    expect(told).toEqual([
      'fetch failed',
      'connected',
      '0',
      'after 0',
      'terminated',
      'The server answered with status 503.',
      'connected',
      'after 0',
      '1',
      '2',
      'after 2',
    ])
  })

  test('ends if a callback of the page throws', async () => {
    const page = new Error('of the page')
    const fail = (): never => {
      throw page
    }
    const { client, requests } = fakeServer(() => eventsResponse(printEvents(history)))
    await expect(idsOf(client, { onConnect: fail })).rejects.toBe(page)
    expect(requests.map(({ signal }) => signal.aborted)).toEqual([true])
    const gone = fakeServer(() => Promise.reject(new TypeError('fetch failed')))
    await expect(idsOf(gone.client, { onDisconnect: fail })).rejects.toBe(page)
    expect(gone.requests).toHaveLength(1)
  })

  test('does not report an intended end as a disconnection', async () => {
    const onDisconnect = vi.fn<(error: Error) => void>()
    const { client } = fakeServer(() => eventsResponse(printEvents(history)), nothingMore)
    await idsOf(client, { onDisconnect })
    for await (const _ of client.events('r', { onDisconnect })) break
    const controller = new AbortController()
    const events = fakeServer(() => eventsResponse(printEvents(history))).client.events('r', {
      onDisconnect,
      signal: controller.signal,
    })
    await events.next()
    controller.abort()
    await expect(events.next()).rejects.toThrow()
    expect(onDisconnect).not.toHaveBeenCalled()
  })

  test('closes the connection when the loop is left', async () => {
    const { client, requests } = fakeServer(() =>
      eventsResponse(printEvents(history), { piece: 9 }),
    )
    for await (const _ of client.events('r')) break
    expect(requests[0]!.signal.aborted).toBe(true)
    expect(requests).toHaveLength(1)
  })

  test('ends at any time when the signal aborts, with its reason', async () => {
    const reason = new Error('enough')
    const never = (): Promise<Response> => new Promise(() => {})
    const silent = (): Response =>
      new Response(new ReadableStream(), { headers: { 'content-type': 'text/event-stream' } })
    const hanging: Answer = (_, { signal }) =>
      new Promise((__, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error))
      })
    const aborted = fakeServer(never)
    await expect(idsOf(aborted.client, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    expect(aborted.requests).toEqual([])

    const controller = new AbortController()
    const waiting = idsOf(fakeServer(hanging).client, { signal: controller.signal })
    const reading = fakeServer(silent)
    const alsoWaiting = idsOf(reading.client, { signal: controller.signal })
    await vi.waitFor(() => expect(reading.requests).toHaveLength(1))
    controller.abort(reason)
    await expect(waiting).rejects.toBe(reason)
    await expect(alsoWaiting).rejects.toBe(reason)
  })

  test('waits for its turns, and continues in each', async () => {
    const shown: string[] = []
    let turns = 0
    let giveWay = new AbortController()
    const open: Answer = (lastId) => {
      shown.push(`connected after ${lastId}`)
      const next = eventsAfter(history, lastId).slice(0, 2)
      const first = new Response(printEvents(next)).body!.getReader()
      const body = new ReadableStream<Uint8Array>({
        async pull(controller) {
          const { value } = await first.read()
          if (value) controller.enqueue(value)
          // No more events until the turn is over.
          else setImmediate(() => giveWay.abort())
        },
      })
      if (next.length === 0) return nothingMore()
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    }
    const client = createClient({
      url: 'http://server',
      fetch: (async (_: string, init: RequestInit) =>
        await open(new Headers(init.headers).get('last-event-id'), undefined!)) as typeof fetch,
      async turn(signal) {
        await Promise.resolve()
        signal?.throwIfAborted()
        turns += 1
        giveWay = new AbortController()
        return { signal: giveWay.signal, end: () => void shown.push('ended') }
      },
    })
    const lost = vi.fn<() => void>()
    expect(await idsOf(client, { onDisconnect: lost })).toEqual(jsonOf(history))
    expect([turns, pauses, lost.mock.calls]).toEqual([4, [], []])
    expect(shown).toEqual(
      [null, '0.0.aaaaaaaa', '1', '2.0.bbbbbbbb'].flatMap((id) => [
        `connected after ${id}`,
        'ended',
      ]),
    )
  })

  test('refuses an invalid position before sending anything', () => {
    const { client, requests } = fakeServer(nothingMore)
    expect(() => client.events('r', { after: '1; DROP' })).toThrow('"1; DROP" is not the number')
    expect(requests).toEqual([])
  })
})
