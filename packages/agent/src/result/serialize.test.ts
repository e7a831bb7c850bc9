import fc from 'fast-check'
import { expect, test } from 'vitest'
import { serialize } from './serialize.ts'

const MAX = 10_000

async function textOf(value: unknown): Promise<string> {
  return (await serialize(value, MAX)).text
}

const circle: { name: string; self?: unknown } = { name: 'o' }
circle.self = circle
const shared = [1]
const { proxy: revoked, revoke } = Proxy.revocable({}, {})
revoke()
class Point {
  x = 1
  #hidden = 2
  get sum(): number {
    return this.x + this.#hidden
  }
}

test.each<[string, unknown, string]>([
  ['text', 'as it is\n', 'as it is\n'],
  ['plain data', { a: [1, 'x', null, true], b: {} }, '{"a":[1,"x",null,true],"b":{}}'],
  ['nothing', undefined, ''],
  ['null', null, 'null'],
  ['undefined inside', { a: undefined, b: [undefined] }, '{"b":[null]}'],
  ['a large whole number', { n: 12345678901234567890n }, '{"n":"12345678901234567890"}'],
  ['a huge whole number', 1n << 100_000n, '"a number of more than 8192 bits"'],
  ['not a number', [NaN, -Infinity], '["NaN","-Infinity"]'],
  ['a cycle', circle, '{"name":"o","self":"[Circular]"}'],
  ['the same object twice, without a cycle', [shared, shared], '[[1],[1]]'],
  ['a map', new Map<string, unknown>([['a', new Set([1])]]), '{"a":[1]}'],
  ['a map with other keys', new Map([[{}, 1]]), '[[{},1]]'],
  ['a function and a symbol', [() => 1, Symbol('s')], '["[function]","[symbol s]"]'],
  ['a date', [new Date(0), new Date(NaN)], '["1970-01-01T00:00:00.000Z","[invalid date]"]'],
  ['an instance', new Point(), '{"x":1}'],
  ['a pattern', /a"b/g, String.raw`"/a\"b/g"`],
  ['boxed', [Object('x'), Object(1)], '["x",1]'],
  ['bytes', new Uint8Array([104, 105]), '{"type":"Uint8Array","size":2,"base64":"aGk="}'],
  ['a promise', [Promise.resolve(1)], '["[Promise]"]'],
  ['a lone surrogate', 'a\ud800b', 'a\ufffdb'],
  ['a lone surrogate in data', ['\udfff'], String.raw`["\udfff"]`],
  ['NUL', 'a\0b', 'a␀b'],
  ['a revoked proxy', [1, revoked, 2], '[1,"[unreadable: '],
  [
    'a proxy that throws',
    new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('no keys')
        },
      },
    ),
    '"[unreadable: no keys]"',
  ],
  [
    'a getter that throws',
    {
      get a(): never {
        throw new Error('no')
      },
      b: 1,
    },
    '{"a":"[threw: no]","b":1}',
  ],
  ['toJSON', { toJSON: () => ({ a: 1 }) }, '{"a":1}'],
  [
    'toJSON that throws',
    {
      a: 1,
      toJSON: () => {
        throw new Error('no')
      },
    },
    '{"a":1,"toJSON":"[function toJSON]"}',
  ],
  ['an endless toJSON', endless(), '"[too deep]"'],
  [
    'an error with its cause',
    new RangeError('out', { cause: new Error('why') }),
    '{"name":"RangeError","message":"out","cause":{"name":"Error","message":"why"}}',
  ],
  [
    'many errors',
    new AggregateError([new Error('one')], 'all'),
    '{"name":"AggregateError","message":"all","errors":[{"name":"Error","message":"one"}]}',
  ],
])('%s', async (_, value, expected) => {
  expect(await textOf(value)).toContain(expected)
})

function endless(): { toJSON: () => unknown } {
  return { toJSON: endless }
}

test('truncates deeply nested data', async () => {
  let deep: unknown = 'bottom'
  for (let i = 0; i < 100_000; i++) deep = [deep]
  expect(await textOf(deep)).toContain('[too deep]')
})

test('truncates text that is too long between characters', async () => {
  expect(await serialize('ab😀', 3)).toEqual({ text: 'ab', truncated: true, size: 4 })
  expect(await serialize(['aaaaaaaaaa'], 5)).toEqual({ text: '["aaa', truncated: true })
  expect(await serialize('abc', 3)).toEqual({ text: 'abc' })
})

test('an endless stream is closed at the limit', async () => {
  const closed: string[] = []
  function* numbers(): Generator<number> {
    try {
      for (let i = 0; ; i++) yield i
    } finally {
      closed.push('sync')
    }
  }
  async function* words(): AsyncGenerator<string> {
    try {
      for (;;) yield 'word '
    } finally {
      closed.push('async')
    }
  }
  async function* silence(): AsyncGenerator<string> {
    try {
      for (;;) yield ''
    } finally {
      closed.push('silence')
    }
  }
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(1000).fill(97)),
    cancel: () => void closed.push('stream'),
  })
  expect(await serialize(numbers(), 8)).toEqual({ text: '[0,1,2,3', truncated: true })
  expect(await serialize(words(), 8)).toEqual({ text: 'word wor', truncated: true })
  expect(await serialize(silence(), 8)).toEqual({ text: '', truncated: true })
  expect(await serialize(stream, 8)).toEqual({ text: 'aaaaaaaa', truncated: true })
  await new Promise((resolve) => setImmediate(resolve))
  expect(closed.sort()).toEqual(['async', 'silence', 'stream', 'sync'])
})

test('a stream is read to its end, even if a character is split between two pieces', async () => {
  const [first, second] = [new Uint8Array([97, 0xc3]), new Uint8Array([0xa9])]
  async function* pieces(): AsyncGenerator<unknown> {
    yield first
    yield second
    yield ' and '
    yield { n: 1 }
  }
  expect(await textOf(pieces())).toBe('aé and {"n":1}\n')
})

test('reports a stream that fails', async () => {
  async function* pieces(): AsyncGenerator<string> {
    yield 'begun'
    throw new Error('gone')
  }
  expect(await textOf(pieces())).toBe('begun\n[The stream failed: gone]')
})

test('an abort does not wait for a stream that hangs', async () => {
  const stop = new AbortController()
  const hangs = new ReadableStream({ pull: () => new Promise(() => {}) })
  const result = serialize(hangs, MAX, { signal: stop.signal })
  stop.abort()
  expect(await result).toEqual({ text: '', truncated: true })
})

test('a large result needs little memory', async () => {
  const chunk = 'x'.repeat(1 << 20)
  const large = Array.from({ length: 1024 }, () => chunk)
  const before = process.memoryUsage().rss
  const { text, truncated } = await serialize(large, 1 << 16)
  expect([text.length, truncated]).toEqual([1 << 16, true])
  expect(process.memoryUsage().rss - before).toBeLessThan(64 << 20)
})

test('law: any value becomes text of at most the maximum length', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.anything({
        withBigInt: true,
        withBoxedValues: true,
        withDate: true,
        withMap: true,
        withSet: true,
        withTypedArray: true,
        withSparseArray: true,
        withNullPrototype: true,
      }),
      fc.nat(300),
      async (value, most) => {
        const { text, truncated } = await serialize(value, most)
        expect(text.length).toBeLessThanOrEqual(most)
        expect(text).not.toMatch(/\p{Surrogate}|\0/u)
        const whole = await serialize(value, 1 << 20)
        expect(truncated ?? false).toBe(whole.text.length > most)
        if (typeof value !== 'string' && value !== undefined)
          expect(() => JSON.parse(whole.text) as unknown).not.toThrow()
      },
    ),
    { numRuns: 2000 },
  )
})

test('law: plain data becomes equal JSON', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (value) => {
      fc.pre(typeof value !== 'string')
      expect(await textOf(value)).toBe(JSON.stringify(value).slice(0, MAX))
    }),
    { numRuns: 500 },
  )
})
