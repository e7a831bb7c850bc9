import { describe, expect, test } from 'vitest'
import { JsonReader, parseObject } from './json-reader.ts'

const A = '{"a": 1}'
const B = '{"b": 2}'

async function read(
  body: string,
  { json, size = Infinity }: { readonly json?: 'whole' | 'lines'; readonly size?: number } = {},
): Promise<{ readonly texts: readonly string[]; readonly isDone: boolean }> {
  const bytes = Buffer.from(body)
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size)
        controller.enqueue(bytes.subarray(at, Math.min(bytes.length, at + size)))
      controller.close()
    },
  })
  const waitFor = <Piece>(work: Promise<Piece>): Promise<Piece> => work
  const reader = new JsonReader(new Response(stream), { maxBytes: 1 << 20, waitFor, json })
  const texts: string[] = []
  for await (const batch of reader.batches()) texts.push(...batch)
  return { texts, isDone: reader.isDone }
}

describe.each([Infinity, 1, 3])('reads pieces of %d bytes', (size) => {
  test.each([
    ['events', `data: ${A}\n\ndata: ${B}\n\ndata: [DONE]\n\n`, [A, B], true],
    ['events without an end', `data: ${A}\n\n`, [A], false],
    ['events whose end lacks its line break', `data: ${A}\n\ndata: [DONE]`, [A], true],
    ['comments and other fields', `: hi\n\nevent: x\nid: 1\nretry: 5\ndata: ${A}\n\n`, [A], false],
    ['an event over several lines', `data: {"a":\ndata: 1}\n\n`, ['{"a":\n1}'], false],
    ['an event that is repeated', `id: 7\ndata: ${A}\n\nid: 7\ndata: ${A}\n\n`, [A], false],
    ['text after the end', `data: ${A}\n\ndata: [DONE]\n\ndata: ${B}\n\n`, [A], true],
    ['lines', `${A}\n\n${B}\n`, [A, B], false],
    ['a last line without a line break', ` \n${A}\r\n${B}`, [A, B], false],
  ])('%s', async (_, body, texts, isDone) => {
    const found = await read(body, { size })
    expect({ ...found, texts: found.texts.map((text) => text.trim()) }).toEqual({ texts, isDone })
  })

  test('reads a text that spans several lines', async () => {
    const body = '\n{\n  "a": 1\n}\n'
    expect(await read(body, { json: 'whole', size })).toEqual({
      texts: ['{\n  "a": 1\n}\n'],
      isDone: true,
    })
  })

  test.each([
    ['', 'the response is empty'],
    [' \n ', 'the response is empty'],
    [': nothing else\n\n', 'the response is empty'],
    ['<!doctype html><title>Log in</title>', size < 20 ? 'starts with <' : 'titled "Log in"'],
    ['[1]', 'it starts with ['],
    ['data: a\nwrong line\n\n', 'a line is not part of an event: wrong line'],
  ])('reports %j as garbled', async (body, message) => {
    await expect(read(body, { size })).rejects.toThrow(message)
  })
})

test.each([
  ['{"error": "a"}', 'a', undefined],
  ['{"error": {"message": "a", "code": 429}, "choices": []}', 'a 429', 429],
  ['{"error": {"message": "a", "type": "b"}}', 'a b', 'b'],
  ['{"object": "error", "message": "a"}', 'a', undefined],
  ['{"detail": "a"}', 'a', undefined],
  ['{"error": {}}', '{"error": {}}', undefined],
])('%s is an error', (json, message, code) => {
  expect(() => parseObject(json)).toThrow(expect.objectContaining({ message, code }))
})

test.each([A, '{"error": null}', '{"error": {}, "choices": []}', '{"detail": "a", "choices": []}'])(
  '%s is not an error',
  (json) => {
    expect(parseObject(json)).toEqual(JSON.parse(json))
  },
)

test.each(['5', 'null', '[]', '{"a"'])('%s is garbled', (json) => {
  expect(() => parseObject(json)).toThrow(json)
})
