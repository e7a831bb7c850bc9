import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readJson, isDeeperThan } from './read-json.ts'

/** The body of a test's request. */
type Body = string | Uint8Array<ArrayBuffer> | ReadableStream | null

function requestOf(body: Body, headers: Record<string, string> = {}): Request {
  return new Request('http://127.0.0.1/', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
    // Sends a stream while the response may already arrive.
    ...({ duplex: 'half' } as object),
  })
}

const read = (body: Body, headers?: Record<string, string>): Promise<object> =>
  readJson(requestOf(body, headers), { maxBody: 1000, maxDepth: 64 })

test('reads a JSON object', async () => {
  expect(await read('{"a": [1, "]{"]}')).toEqual({ a: [1, ']{'] })
  expect(await read('{}', { 'content-type': 'Application/JSON; charset=utf-8' })).toEqual({})
})

test.each<[string, Body, number, string]>([
  ['nothing', null, 400, 'invalid_json'],
  ['a list', '[]', 400, 'invalid_json'],
  ['not JSON', '{a}', 400, 'invalid_json'],
  ['not UTF-8', new Uint8Array([0x7b, 0xff, 0x7d]), 400, 'invalid_json'],
  ['cut UTF-8', new Uint8Array([0x7b, 0xc3]), 400, 'invalid_json'],
  ['too deep', '['.repeat(65), 400, 'too_deep'],
  ['too large', ' '.repeat(1001), 413, 'body_too_large'],
])('%s', async (_, body, status, code) => {
  await expect(read(body)).rejects.toMatchObject({ status, code })
})

test('reads a body without a length only up to the limit', async () => {
  let pulled = 0
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulled++
      controller.enqueue(new Uint8Array(100).fill(0x20))
    },
  })
  await expect(read(endless)).rejects.toMatchObject({ status: 413 })
  expect(pulled).toBeLessThan(20)
})

test.each(['text/plain', 'application/json; charset=utf-7', ''])(
  'refuses another content type: %j',
  async (type) => {
    const refused = { status: 415, code: 'unsupported_media_type' }
    await expect(read('{}', { 'content-type': type })).rejects.toMatchObject(refused)
  },
)

test('ignores brackets in strings, however they are escaped', async () => {
  const limits = { maxBody: 1 << 20, maxDepth: 64 }
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom('[', '{', '"', '\\', 'a')), async (characters) => {
      const value = { text: characters.join('').repeat(3) }
      expect(await readJson(requestOf(JSON.stringify(value)), limits)).toEqual(value)
    }),
  )
})

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}

test('counts nesting like JSON.parse', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(6), (value, max) => {
      expect(isDeeperThan(max, bytes(JSON.stringify(value)))).toBe(depthOf(value) > max)
    }),
  )
})

test.each(['"[[["', String.raw`"\"[[["`, String.raw`"\\\"[[["`, '{"[[[":"{{{"}', '"[[[', '1]]]]'])(
  'ignores brackets in strings: %s',
  (text) => {
    expect(isDeeperThan(1, bytes(text))).toBe(false)
  },
)

test('ends a string after an escaped backslash', () => {
  expect(isDeeperThan(1, bytes(String.raw`["\\",[1]]`))).toBe(true)
})
