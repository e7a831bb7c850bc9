import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isInside, parseKey, printKey, type RecordKey } from './keys.ts'

const keys: readonly [text: string, key: RecordKey][] = [
  ['run', { type: 'setup', number: 0 }],
  ['run/2', { type: 'setup', number: 2 }],
  ['resume/1', { type: 'resume', number: 1 }],
  ['input/0', { type: 'input', number: 0 }],
  ['late/3', { type: 'late', number: 3 }],
  ['end/0', { type: 'end', number: 0 }],
  ['message/12', { type: 'message', number: 12 }],
  ['changed/5c2e71b5', { type: 'changed', hash: '5c2e71b5' }],
  ['turn/3', { type: 'turn', turn: 3 }],
  ['final/0', { type: 'turn', turn: 0, final: true }],
  ['turn/3/not-run', { type: 'not-run', turn: 3 }],
  ['final/1/not-run', { type: 'not-run', turn: 1, final: true }],
  ['compact/3', { type: 'compaction', turn: 3, number: 0 }],
  ['compact/3/1', { type: 'compaction', turn: 3, number: 1 }],
  ['compact/3/summary', { type: 'summary', turn: 3, number: 0 }],
  ['compact/final-0/2/summary', { type: 'summary', turn: 0, final: true, number: 2 }],
  ['turn/3/call/1', { type: 'call', turn: 3, call: 1 }],
  ['turn/3/call/1/again/0', { type: 'again', turn: 3, call: 1, number: 0 }],
  ['turn/3/call/1/approval/0f', { type: 'approval', turn: 3, call: 1, hash: '0f' }],
  ['turn/3/call/1/question', { type: 'question', turn: 3, call: 1, number: 0 }],
  ['turn/3/call/1/question/2', { type: 'question', turn: 3, call: 1, number: 2 }],
]

test.each(keys)('%s', (text, key) => {
  expect(parseKey(text)).toEqual(key)
  expect(printKey(key)).toBe(text)
})

test.each([
  ...[
    '',
    'x',
    'run/0',
    'run/x',
    'run/01',
    'run/1/2',
    'run/',
    'end',
    'end/-1',
    'end/1e3',
    'message/',
  ],
  ...['turn', 'turn/', 'turn/x', 'turn/1.5', 'turn/1/', 'turn/1/call', 'turn/1/call/x', 'turn/NaN'],
  ...['turn/1/call/2/', 'turn/1/call/2/approval', 'turn/1/call/2/approval/', 'turn/1/call/2/x/3'],
  ...['turn/1/call/2/again', 'turn/1/call/2/question/0', 'turn/1/call/2/question/1/2', 'turn/ 1'],
  ...['turn/1/call/2/approval/a/b', 'compact', 'compact/x', 'compact/1/0', 'compact/final-/1'],
  ...[
    'compact/1/summary/x',
    'compact/1/2/3/summary',
    'changed',
    'changed/a b',
    'turn/9007199254740993',
  ],
])('%j is not a key', (text) => {
  expect(parseKey(text)).toBeUndefined()
})

const number = fc.nat()
const hash = fc.stringMatching(/^[0-9a-f]{1,16}$/)
const inTurn = fc.record(
  { turn: number, final: fc.constant(true as const) },
  { requiredKeys: ['turn'] },
)
const inCall = fc.tuple(inTurn, number).map(([turn, call]) => ({ ...turn, call }))
const numbered = fc.constantFrom('setup', 'resume', 'input', 'late', 'end', 'message')
const key: fc.Arbitrary<RecordKey> = fc.oneof(
  fc.record({ type: numbered, number }),
  fc.record({ type: fc.constant('changed' as const), hash }),
  fc.tuple(fc.constantFrom('turn', 'not-run'), inTurn).map(([type, turn]) => ({ type, ...turn })),
  fc
    .tuple(fc.constantFrom('compaction', 'summary'), inTurn, number)
    .map(([type, turn, count]) => ({ type, ...turn, number: count })),
  inCall.map((call) => ({ type: 'call' as const, ...call })),
  fc
    .tuple(fc.constantFrom('again', 'question'), inCall, number)
    .map(([type, call, count]) => ({ type, ...call, number: count })),
  fc.tuple(inCall, hash).map(([call, of]) => ({ type: 'approval' as const, ...call, hash: of })),
)

describe('laws', () => {
  test('a printed key parses as the same key', () => {
    fc.assert(
      fc.property(key, (each) => {
        expect(parseKey(printKey(each))).toEqual(each)
      }),
    )
  })

  test('different keys are printed differently', () => {
    fc.assert(
      fc.property(key, key, (one, other) => {
        if (printKey(one) === printKey(other)) expect(one).toEqual(other)
      }),
    )
  })

  test('parsing and printing a text gives the same text', () => {
    const part = fc.constantFrom('turn', 'final', 'call', 'compact', 'run', 'summary', 'question')
    const parts = fc.array(fc.oneof(part, hash, number.map(String), fc.string()), { maxLength: 7 })
    fc.assert(
      fc.property(parts, (all) => {
        const text = all.join('/')
        const parsed = parseKey(text)
        if (parsed) expect(printKey(parsed)).toBe(text)
      }),
    )
  })

  test('records of a call are inside it, and not inside one with a longer number', () => {
    expect(isInside('turn/1/call/1/approval/h', 'turn/1/call/1')).toBe(true)
    expect(isInside('turn/1/call/10', 'turn/1/call/1')).toBe(false)
  })
})
