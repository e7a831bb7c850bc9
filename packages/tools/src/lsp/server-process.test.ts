import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { limitMessages } from './server-process.ts'

const message = (body: string): string =>
  `Content-Length: ${Buffer.byteLength(body)}\r\nContent-Type: x\r\n\r\n${body}`

test('passes messages unchanged, however they are chunked', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ maxLength: 40 })),
      fc.integer({ min: 1, max: 50 }),
      async (bodies, size) => {
        const bytes = Buffer.from(bodies.map(message).join(''))
        const count = Math.ceil(bytes.length / size)
        const pieces = Array.from({ length: count }, (_, at) =>
          bytes.subarray(at * size, (at + 1) * size),
        )
        expect(await text(Readable.from(pieces).pipe(limitMessages()))).toBe(bytes.toString())
      },
    ),
  )
})

test.each([
  ['too long', message('x'.repeat(11)), /a message of 11 bytes/],
  ['the second too long', message('x') + message('x'.repeat(11)), /a message of 11 bytes/],
  ['no length', 'Content-Type: x\r\n\r\n', /a message of NaN bytes/],
  ['a negative length', 'Content-Length: -1\r\n\r\n', /a message of NaN bytes/],
  ['no header', 'x'.repeat(5000), /other than messages/],
])('%s', async (_, said, problem) => {
  for (const size of [1, 7, 10_000]) {
    const pieces = said.match(new RegExp(`[^]{1,${size}}`, 'g'))!.map((each) => Buffer.from(each))
    await expect(text(Readable.from(pieces).pipe(limitMessages(10)))).rejects.toThrow(problem)
  }
})
