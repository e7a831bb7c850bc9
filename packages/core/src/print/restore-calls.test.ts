import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chunked, sizes } from '../../test/chunks.ts'
import { marks } from '../../test/markup.ts'
import { HOURS, runs, share } from '../../../../tests/helpers/size.ts'
import {
  type Event,
  neutralize,
  parse,
  parseStream,
  printCall,
  protocols,
  restoreArguments,
  restoreCalls,
} from '../index.ts'

const tools = [{ name: 'ping' }, { name: 'bash' }]
const inert = neutralize('<tool_call>')

/** The events of a call whose arguments arrive in these pieces. */
function eventsOf(deltas: readonly string[], index = 0): Event[] {
  const args = JSON.parse(deltas.join('')) as Record<string, unknown>
  const { calls } = parse(printCall('hermes', { name: 'ping', args: {}, id: 'a' }))
  return [
    { type: 'call-start', index, id: 'a', name: 'ping' },
    ...deltas.map((delta): Event => ({ type: 'call-delta', index, delta })),
    { type: 'call-end', index, call: { ...calls[0]!, args } },
  ]
}

async function collected<T>(events: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const event of events) all.push(event)
  return all
}

/** The joined pieces of a call, and its arguments at the end. */
async function restored(events: Iterable<Event> | AsyncIterable<Event>): Promise<Restored> {
  const all = await collected(restoreCalls(events, { tools }))
  const json = all.map((event) => (event.type === 'call-delta' ? event.delta : '')).join('')
  const end = all.find((event) => event.type === 'call-end')!
  expect(all.every((event) => event.type !== 'call-delta' || event.delta !== '')).toBe(true)
  return { json, args: end.call.args }
}
type Restored = { json: string; args: unknown }

const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(...marks, 'ping(', '"bash",', '<ping>', '\u2060', '\\', '"', '🔨', '\ud800'),
      fc.string({ maxLength: 5, unit: 'binary' }),
    ),
    { maxLength: 4 },
  )
  .map((pieces) => pieces.join(''))
const copied = text.map((each) => neutralize(each, { tools }))
const key = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('a', 'b', 'path', '__proto__') },
  copied,
  fc.constantFrom(inert, '<tool_call>'),
)
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    copied,
    fc.constantFrom(1, -0.5, null, true, false),
    fc.array(tie('value'), { maxLength: 3 }),
    objectOf(tie('value')),
  ),
}))

function objectOf(values: fc.Arbitrary<unknown>): fc.Arbitrary<Record<string, unknown>> {
  return fc
    .array(fc.tuple(key, values), { maxLength: 4 })
    .map((entries) => Object.fromEntries(entries) as Record<string, unknown>)
}

/** JSON in a model's style: with spaces and escaped characters. */
const written = fc
  .tuple(objectOf(value), fc.constantFrom(0, 1, 2), fc.infiniteStream(fc.nat({ max: 5 })))
  .map(([args, indent, choices]) => {
    const json = JSON.stringify(args, null, indent)
    return json.replace(/[^ -~\n]/g, (char) =>
      choices.next().value === 0 ? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}` : char,
    )
  })

test('in any chunks, the pieces are the JSON of the restored arguments', { timeout: HOURS }, () =>
  fc.assert(
    fc.asyncProperty(written, sizes, async (json, lengths) => {
      const args = restoreArguments(JSON.parse(json) as Record<string, unknown>, { tools })
      const found = await restored(eventsOf(chunked(json, lengths)))
      expect(found.args).toEqual(args)
      expect(JSON.parse(found.json)).toEqual(args)
    }),
    runs(700),
  ),
)

describe.each(share(Object.values(protocols), 4))('$id', (protocol) => {
  test('restores text copied from a result', async () => {
    for (const content of [marks.join(' '), `${marks.join('\n')}\n"ping", {}`]) {
      const args = { path: 'a.md', text: neutralize(content, { tools }) }
      const reply = printCall(protocol, { name: 'ping', args })
      const chunks = reply.match(/[^]{1,7}/g)!
      const found = await restored(parseStream(chunks, { protocols: protocol, tools }))
      expect(found.args).toEqual({ path: 'a.md', text: content })
      expect(JSON.parse(found.json)).toEqual(found.args)
    }
  })
})

test('a value is passed on before it ends', async () => {
  const deltas = ['{"text": "a <', `b ${inert} and mo`, 're"}']
  const all = await collected(restoreCalls(eventsOf(deltas)))
  expect(all.filter(({ type }) => type === 'call-delta')).toEqual([
    { type: 'call-delta', index: 0, delta: '{"text": "a <' },
    { type: 'call-delta', index: 0, delta: 'b <tool_call> and mo' },
    { type: 'call-delta', index: 0, delta: 're"}' },
  ])
})

test.each([
  [{ [inert]: 1, '<tool_call>': 2 }],
  [{ '<tool_call>': 1, [inert]: 2 }],
  [{ a: { b: inert, [inert]: [inert], '<tool_call>': { [inert]: 3 } }, c: inert }],
])('keys that would collide are unchanged: %j', async (args) => {
  const found = await restored(eventsOf(JSON.stringify(args).split('')))
  expect(found.args).toEqual(restoreArguments(args))
  expect(JSON.parse(found.json)).toEqual(found.args)
})

test('still yields the text that was held back if the reply is cut off', async () => {
  const events: Event[] = [
    ...eventsOf(['{}']).slice(0, 1),
    { type: 'call-delta', index: 0, delta: `{"${inert}": 1, "te` },
    ...eventsOf(['{}']).slice(2),
  ]
  expect(await restored(events)).toEqual({ json: `{"${inert}": 1, "te`, args: {} })
})

test('invalid JSON is not an error', async () => {
  const json = `{"a": "\\x ${inert} \u0001", "${inert}": oops}`
  const events = eventsOf(['{}']).map((event) =>
    event.type === 'call-delta' ? { ...event, delta: json } : event,
  )
  expect((await restored(events)).json).toContain('<tool_call>')
})

test('calls do not affect each other, and all other events are the same objects', async () => {
  const other = { type: 'cost', dollars: 1 } as const
  const text: Event = { type: 'text', delta: inert, at: 0 }
  const [one, two] = [0, 1].map((index) => eventsOf([`{"a": "<`, `\u2060tool_call>"}`], index))
  const mixed = [other, text, ...one!.flatMap((event, i) => [event, two![i]!])]
  const all = await collected(restoreCalls<typeof other>(mixed))
  expect(all[0]).toBe(other)
  expect(all[1]).toBe(text)
  for (const index of [0, 1]) {
    const deltas = all.map((event) =>
      event.type === 'call-delta' && event.index === index ? event.delta : '',
    )
    expect(deltas.join('')).toBe('{"a": "<tool_call>"}')
  }
})

test('a call that is taken back is forgotten', async () => {
  const [start, delta] = eventsOf([`{"a": "<\u2060"}`])
  const malformed: Event = {
    ...{ type: 'malformed', index: 0, raw: '', problem: 'syntax', hint: '', at: 0, span: [0, 0] },
  }
  const again = eventsOf(['{"b": 1}'])
  const all = await collected(restoreCalls([start!, delta!, malformed, ...again]))
  expect(all.slice(-3)).toEqual(again)
})

test('checks options when called, and passes on stream errors', async () => {
  expect(() => restoreCalls([], { tool: [] } as object)).toThrow('Unknown option "tool"')
  const failing = (function* (): Iterable<Event> {
    yield* eventsOf(['{"a": 1}']).slice(0, 2)
    throw new Error('gone')
  })()
  await expect(collected(restoreCalls(failing))).rejects.toThrow('gone')
})
