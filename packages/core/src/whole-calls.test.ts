import { describe, expect, test } from 'vitest'
import { type Call, type Event, parseStream, protocols, wholeCalls } from './index.ts'

async function all<T>(events: AsyncIterable<T>): Promise<T[]> {
  const list = []
  for await (const event of events) list.push(event)
  return list
}

function call(args: Record<string, unknown>, more: Partial<Call> = {}): Call {
  return {
    id: 'a',
    name: 'ping',
    args,
    protocol: 'native',
    complete: true,
    repairs: [],
    raw: '…',
    span: [0, 1],
    ...more,
  }
}

/** The index, id and JSON of each call in these events. */
async function shown(events: readonly Event[]): Promise<unknown[]> {
  const whole = await all(wholeCalls(events))
  return whole.map((event) => {
    if (event.type === 'call-start') return [event.index, event.id, event.name]
    if (event.type === 'call-delta') return [event.index, event.delta]
    if (event.type === 'call-end') return [event.index, event.call.args]
    return event
  })
}

test('sends start, one delta and end together, once the call has ended', async () => {
  const seen: string[] = []
  async function* chunks(): AsyncIterable<string> {
    for (const chunk of '<tool_call>{"name": "ping", "arguments": {"n": 10, "m": []}}</tool_call>.') {
      seen.push(chunk)
      yield chunk
    }
  }
  for await (const event of wholeCalls(parseStream(chunks(), { protocols: protocols.hermes }))) {
    if (event.type === 'call-start') expect(seen.join('')).toMatch(/<\/tool_call>$/)
    seen.push(`[${event.type}]`)
  }
  const text = seen.join('')
  expect(text).toContain('</tool_call>[call-start][call-delta][call-end].[text][end]')
})

test('orders interleaved calls by their ends', async () => {
  const events: Event[] = [
    { type: 'call-start', index: 0, id: 'a', name: 'ping' },
    { type: 'call-start', index: 1, id: 'b', name: '' },
    { type: 'call-delta', index: 0, delta: '{"n"' },
    { type: 'call-delta', index: 1, delta: '{"n": 1' },
    { type: 'call-delta', index: 0, delta: ':0}' },
    { type: 'call-delta', index: 1, delta: '}' },
    { type: 'call-end', index: 1, call: call({ n: 1 }, { id: 'b' }) },
    { type: 'call-end', index: 0, call: call({ n: 0 }) },
  ]
  expect(await shown(events)).toEqual([
    [0, 'b', 'ping'],
    [0, '{"n": 1}'],
    [0, { n: 1 }],
    [1, 'a', 'ping'],
    [1, '{"n":0}'],
    [1, { n: 0 }],
  ])
})

describe('sends the arguments as JSON in the delta', () => {
  test.each<[about: string, deltas: string[], Call, json: string]>([
    [
      'as written',
      ['{"n": 12345678901234567890', '.0}'],
      call({ n: Number('12345678901234567890') }),
      '{"n": 12345678901234567890.0}',
    ],
    ['repaired', ["{'n': 1,}"], call({ n: 1 }, { repairs: ['single-quotes'] }), '{"n":1}'],
    ['with other types', ['{"n": "1"}'], call({ n: 1 }, { repairs: ['coerced'] }), '{"n":1}'],
    ['without deltas', [], call({}), '{}'],
    ['in a string', [String.raw`"{\"n\": 1}"`], call({ n: 1 }), '{"n":1}'],
    [
      'with a key twice',
      ['{"n":0,"n":1}'],
      call({ n: 1 }, { repairs: ['duplicate-key'] }),
      '{"n":1}',
    ],
    ['of another call', ['{"n": 2}'], call({ n: 1 }), '{"n":1}'],
  ])('%s', async (_, deltas, ended, json) => {
    const events: Event[] = [
      { type: 'call-start', index: 0, id: 'a', name: 'ping' },
      ...deltas.map((delta): Event => ({ type: 'call-delta', index: 0, delta })),
      { type: 'call-end', index: 0, call: ended },
    ]
    expect((await shown(events))[1]).toEqual([0, json])
  })
})

test('an incomplete call is malformed, and later calls are numbered without a gap', async () => {
  const events: Event[] = [
    { type: 'call-start', index: 0, id: 'a', name: 'ping' },
    { type: 'call-end', index: 0, call: call({}, { complete: false, raw: '<x', span: [3, 5] }) },
    { type: 'call-start', index: 1, id: 'b', name: 'ping' },
    { type: 'call-end', index: 1, call: call({}, { id: 'b' }) },
  ]
  expect(await shown(events)).toEqual([
    {
      type: 'malformed',
      raw: '<x',
      problem: 'cut',
      hint: 'Expected the rest of the call, found the end of the text.',
      at: 5,
      span: [3, 5],
    },
    [0, 'b', 'ping'],
    [0, '{}'],
    [0, {}],
  ])
})

test('a call that is taken back loses its index, and one that never ends is not shown', async () => {
  const malformed = {
    raw: 'x',
    problem: 'syntax',
    hint: 'Expected x.',
    at: 0,
    span: [0, 1],
  } as const
  const events: Event[] = [
    { type: 'call-start', index: 0, id: 'a', name: 'ping' },
    { type: 'malformed', index: 0, ...malformed },
    { type: 'call-start', index: 1, id: 'b', name: 'ping' },
    { type: 'call-delta', index: 1, delta: '{' },
  ]
  expect(await all(wholeCalls(events))).toEqual([{ type: 'malformed', ...malformed }])
})

test('passes other events through in order, with all fields', async () => {
  type Other = { type: 'turn-end'; turn: number }
  const turn: Other = { type: 'turn-end', turn: 1 }
  const ended = { ...call({}), modelId: 'own' }
  const events: (Event | Other)[] = [
    { type: 'call-start', index: 3, id: 'a', name: 'ping' },
    { type: 'text', delta: 'x', at: 0 },
    turn,
    { type: 'call-end', index: 3, call: ended, seq: 7 } as Event,
    { type: 'end', at: 1, finish: 'stop' },
  ]
  const whole = await all(wholeCalls<Other>(events))
  expect(whole).toEqual([
    events[1],
    turn,
    { type: 'call-start', index: 0, id: 'a', name: 'ping', seq: 7 },
    { type: 'call-delta', index: 0, delta: '{}', seq: 7 },
    { type: 'call-end', index: 0, call: ended, seq: 7 },
    events[4],
  ])
  expect(whole[1]).toBe(turn)
})

test('if the stream fails, earlier events remain and the error is rethrown', async () => {
  async function* failing(): AsyncIterable<Event> {
    yield { type: 'call-start', index: 0, id: 'a', name: 'ping' }
    throw new Error('gone')
  }
  await expect(all(wholeCalls(failing()))).rejects.toThrow('gone')
})
