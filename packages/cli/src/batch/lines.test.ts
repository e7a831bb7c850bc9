import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { linesOf } from './batch.ts'

async function lines(chunks: readonly string[], limit?: number): Promise<string[]> {
  const bytes = Readable.from(chunks.map((chunk) => Buffer.from(chunk)))
  const found: string[] = []
  for await (const line of linesOf(bytes, limit === undefined ? {} : { limit })) {
    found.push('tooLong' in line ? 'too long' : Buffer.from(line.bytes).toString())
  }
  return found
}

test.each([
  [['a\nb\n'], ['a', 'b']],
  [['a\nb'], ['a', 'b']],
  [
    ['a', 'b\nc', '\nd'],
    ['ab', 'c', 'd'],
  ],
  [['\n\n a \n \t\r\n'], [' a ']],
  [['a\u2028b\n'], ['a\u2028b']], // a line break to some, an ordinary character in JSON
  [[], []],
])('%j', async (chunks, expected) => {
  expect(await lines(chunks)).toEqual(expected)
})

test('drops a line over the limit and reads the next one', async () => {
  expect(await lines(['1234', '5678', '9\nok\n', '123456789'], 8)).toEqual([
    'too long',
    'ok',
    'too long',
  ])
})
