import { get, type IncomingMessage } from 'node:http'
import { setTimeout as after } from 'node:timers/promises'
import type { RunEvent } from '@toolglot/agent'
import { printCalls } from '@toolglot/core'
import { expect, onTestFinished, test } from 'vitest'
import { type ApiServer, apiServer, type ApiServerOptions } from '../../../../test/api-server.ts'
import { eventReader, type StreamedEvent } from '../../../../test/event-reader.ts'
import { type Behaviour, startUpstream } from '../../../../test/upstream.ts'
import type { AccessEntry } from '../../../observe/access-entry.ts'
import type { ShownRun } from './runs.ts'
import { until } from '../../../../../../tests/helpers/until.ts'
import { isLong } from '../../../../../../tests/helpers/size.ts'

interface Place extends ApiServer {
  /** Starts a run. */
  readonly start: (prompt?: string) => Promise<string>
  readonly replay: (run: string) => Promise<RunEvent[]>
  /** Resolves when a run has ended. */
  readonly ended: (run: string) => Promise<void>
  readonly entries: readonly AccessEntry[]
}

async function place(behaviour: Behaviour, options: ApiServerOptions = {}): Promise<Place> {
  const model = await startUpstream(behaviour)
  onTestFinished(() => model.close())
  const entries: AccessEntry[] = []
  const api = await apiServer({
    ...options,
    options: { observe: (entry) => entries.push(entry), ...options.options },
  })
  const replay = async (run: string): Promise<RunEvent[]> =>
    (await (await api.ask(`/api/runs/${run}/replay?limit=10000`)).json()) as RunEvent[]
  return {
    ...api,
    entries,
    replay,
    async start(prompt = 'Go.') {
      const response = await api.post('/api/runs', { prompt, model: `${model.url}#qwen3:8b` })
      expect(response.status).toBe(201)
      return ((await response.json()) as { run: string }).run
    },
    async ended(run) {
      await until(async () => {
        const shown = await api.ask(`/api/runs/${run}`)
        return ((await shown.json()) as ShownRun).summary.state === 'finished'
      })
    },
  }
}

function recorded(events: readonly StreamedEvent[]): RunEvent[] {
  return events.flatMap(({ event }) => (event.transient ? [] : [event]))
}

/** Reads the complete messages of a response. */
function messagesIn(text: string): StreamedEvent[] {
  return text
    .split('\n\n')
    .slice(0, -1)
    .flatMap((message) => {
      const [, id = '', data = ''] = /^id: (\S+)\ndata: (.*)$/.exec(message) ?? []
      return id === '' ? [] : [{ id, event: JSON.parse(data) as RunEvent }]
    })
}

test('does not disconnect a client that reads, for events of any size', async () => {
  const text = 'A line of a very long text. '.repeat(isLong ? 60_000 : 20_000)
  const api = await place({ chunkSize: 100_000, reply: text })
  const run = await api.start()
  const response = await api.ask(`/api/runs/${run}/events`)
  expect((await response.text()).trimEnd()).toContain('"type":"run-end"')
})

test('cuts off a client that does not read; after reconnecting it gets each remaining event once', async () => {
  const text = 'A line of a very long text. '.repeat(40_000)
  const api = await place(
    {
      chunkSize: 2000,
      reply(_, messages) {
        const turn = messages.filter(({ role }) => role === 'assistant').length
        if (turn === 5) return 'Done.'
        const args = { file_path: 'notes.txt', offset: turn + 1 }
        return `Turn ${turn}. ${text}\n${printCalls('hermes', [{ name: 'Read', args }])}`
      },
    },
    // Not the limit that cuts off the response.
    { files: { 'notes.txt': 'x\n'.repeat(9) }, options: { limits: { stalledTimeout: 3_600_000 } } },
  )
  const run = await api.start()
  const response = await new Promise<IncomingMessage>((resolve) => {
    const headers = { authorization: `Bearer ${api.token}` }
    get(`${api.server.url}/api/runs/${run}/events`, { headers }, resolve)
  })
  onTestFinished(() => void response.destroy())
  const chunks: Buffer[] = []
  response.on('data', (chunk: Buffer) => chunks.push(chunk))
  response.on('error', () => {})
  await new Promise<void>((resolve) => {
    response.once('data', () => {
      response.pause()
      resolve()
    })
  })
  const route = '/api/runs/:run/events'
  await until(() => api.entries.some((entry) => entry.route === route))
  expect(api.entries.find((entry) => entry.route === route)).toMatchObject({
    status: 200,
    aborted: true,
    cut: 'stalled',
  })
  await api.ended(run)
  const all = await api.replay(run)
  const end = all.at(-1)
  expect(end?.type === 'run-end' && end.reason).toBe('answer')

  // Data already in flight still arrives.
  const closed = new Promise((resolve) => response.once('close', resolve))
  response.resume()
  await closed
  const before = messagesIn(Buffer.concat(chunks).toString())
  expect(before.length).toBeGreaterThan(0)
  expect(recorded(before).at(-1)?.type).not.toBe('run-end')
  const reader = eventReader(api, run, `?after=${before.at(-1)!.id}`)
  await reader.read()
  const read = [...recorded(before), ...recorded(reader.events)]
  expect(JSON.stringify(read) === JSON.stringify(all)).toBe(true)
  const ids = [...before, ...reader.events].map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
})

test('refuses an invalid id, but accepts one of another execution or beyond the end', async () => {
  const api = await place({ reply: 'Done.' })
  const run = await api.start()
  await api.ended(run)
  const all = await api.replay(run)
  const read = async (id: string): Promise<[number, number[]]> => {
    const response = await api.ask(`/api/runs/${run}/events`, { headers: { 'last-event-id': id } })
    const text = await response.text()
    return [response.status, messagesIn(text).map(({ event }) => event.seq)]
  }
  const seqs = all.map(({ seq }) => seq)
  const last = seqs.at(-1)!
  expect(await read('')).toEqual([200, seqs])
  expect(await read('-1')).toEqual([200, seqs])
  expect(await read('1')).toEqual([200, seqs.slice(2)])
  // The transient events of another execution are lost.
  expect(await read('1.7.00c0ffee')).toEqual([200, seqs.slice(2)])
  expect(await read('1.999999999999999.00c0ffee')).toEqual([200, seqs.slice(2)])
  expect(await read(String(last))).toEqual([204, []])
  expect(await read('999999999999999')).toEqual([204, []])
  for (const id of [
    'x',
    '1.',
    '1.2',
    '1.2.3',
    '1.2.00C0FFEE',
    '-2',
    '1e3',
    '0x1',
    ' 1 2',
    '1.5.00c0ffee.1',
    '9'.repeat(16),
    '9'.repeat(8000),
    '1\t2',
    '٣',
  ]) {
    const query = `?after=${encodeURIComponent(id.slice(0, 100))}`
    const response = await api.ask(`/api/runs/${run}/events${query}`)
    expect([id.slice(0, 20), response.status]).toEqual([id.slice(0, 20), 400])
    expect(await response.json()).toMatchObject({ code: 'invalid_request' })
  }
  expect((await read('9'.repeat(8000)))[0]).toBe(400)
  const missing = await api.ask('/api/runs/run-missing/events')
  expect(await missing.json()).toMatchObject({ status: 404, code: 'run_not_found' })
  expect(api.errors).toEqual([])
})

test('sends the same events to two clients of a run, and one can leave without affecting the other', async () => {
  const api = await place({ reply: 'word '.repeat(200), chunkSize: 20, delay: 5 })
  const run = await api.start()
  const [one, other, brief] = [eventReader(api, run), eventReader(api, run), eventReader(api, run)]
  await Promise.all([one.read(), other.read(), brief.read(500)])
  const all = await api.replay(run)
  expect(recorded(one.events)).toEqual(all)
  expect(recorded(other.events)).toEqual(all)
  await brief.read()
  expect(recorded(brief.events)).toEqual(all)
})

test('HEAD answers without a body, and leaves no resources behind', async () => {
  const api = await place({ reply: 'word '.repeat(100), chunkSize: 5, delay: 20 })
  const run = await api.start()
  const head = async (path: string): Promise<[number, string | null, string]> => {
    const response = await api.ask(path, { method: 'HEAD' })
    return [response.status, response.headers.get('content-type'), await response.text()]
  }
  const stream = [200, 'text/event-stream; charset=utf-8', '']
  for (let at = 0; at < 20; at++) {
    expect(await head(`/api/runs/${run}/events`)).toEqual(stream)
    expect(await head('/api/approvals/events')).toEqual(stream)
  }
  await api.post(`/api/runs/${run}/stop`, {})
  await api.ended(run)
  expect(await head(`/api/runs/${run}/events`)).toEqual(stream)
  expect(await head(`/api/runs/${run}/events?after=999`)).toEqual([204, null, ''])
  // No client has ever read the pending requests, so a call is denied immediately.
  const call = { tool_name: 'bash', arguments: { command: 'touch x' } }
  expect((await api.post('/api/tools/execute', call)).status).toBe(403)
})

test('a stream that is kept open gets the events after the run is resumed', async () => {
  const api = await place({ reply: 'Done.' })
  const run = await api.start()
  const reader = eventReader(api, run, '?keepOpen=true')
  const read = reader.read()
  await until(() => reader.hasEnded())
  const first = reader.events.length
  const resumed = await api.post(`/api/runs/${run}/resume`, { prompt: 'Again.' })
  expect(resumed.status).toBe(200)
  await until(() => reader.events.length > first && reader.hasEnded())
  expect(recorded(reader.events)).toEqual(await api.replay(run))
  expect(recorded(reader.events).filter(({ type }) => type === 'run-end')).toHaveLength(2)
  expect(reader.connections()).toBe(1)
  // The execution ends when the server stops.
  await api.server.close()
  expect(await read).toBe(200)
})

test('ends the stream when its run is deleted', async () => {
  const api = await place({ reply: 'word '.repeat(200), chunkSize: 5, delay: 20 })
  const run = await api.start()
  const busy = await api.ask(`/api/runs/${run}`, { method: 'DELETE' })
  expect(await busy.json()).toMatchObject({ status: 409, code: 'run_busy' })
  const reader = eventReader(api, run, '?keepOpen=true')
  const read = reader.read()
  await until(() => reader.events.length > 1)
  await api.post(`/api/runs/${run}/stop`, {})
  await until(() => reader.hasEnded())
  await until(async () => {
    const { status } = await api.ask(`/api/runs/${run}`, { method: 'DELETE' })
    return status === 204
  })
  expect((await api.ask(`/api/runs/${run}/events`)).status).toBe(404)
  await Promise.race([read, after(20_000).then(() => Promise.reject(new Error('still open')))])
  expect(api.errors).toEqual([])
})
