import fc from 'fast-check'
import { expect, test } from 'vitest'
import { scanLines } from './scan-lines.ts'

async function* piecesOf(bytes: Uint8Array, size: number): AsyncIterable<Uint8Array> {
  // One buffer for all pieces, as when reading a file.
  const buffer = Buffer.alloc(size)
  for (let at = 0; at < bytes.length; at += size) {
    const length = Math.min(size, bytes.length - at)
    buffer.set(bytes.subarray(at, at + length))
    yield buffer.subarray(0, length)
  }
}

test('any chunking gives the same lines as splitting the whole text', async () => {
  const text = fc.array(fc.constantFrom('a', 'bc', '\n', '\r\n'), { maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(
      text.map((parts) => parts.join('')),
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 10 }),
      fc.integer({ min: 1, max: 10 }),
      async (whole, size, offset, limit) => {
        const lines = whole.split('\n')
        if (lines.at(-1) === '') lines.pop()
        const scan = await scanLines(piecesOf(Buffer.from(whole), size), { offset, limit })
        expect(scan.total).toBe(lines.length)
        expect(scan.lines.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(
          lines.slice(offset - 1, offset - 1 + limit),
        )
      },
    ),
    { numRuns: 500 },
  )
})

test('holds only the beginning of an endless line in memory', async () => {
  const piece = Buffer.alloc(1024 * 1024, 'x')
  async function* endless(): AsyncIterable<Uint8Array> {
    for (let count = 0; count < 200; count++) yield piece
  }
  const { lines, total } = await scanLines(endless(), { offset: 1, limit: 2000 })
  expect(total).toBe(1)
  expect(lines[0]!.length).toBe(200 * 1024 * 1024)
  expect(lines[0]!.bytes.length).toBe(8000)
})

test('a signal stops the scan midway', async () => {
  const controller = new AbortController()
  async function* endless(): AsyncIterable<Uint8Array> {
    for (let count = 0; ; count++) {
      if (count === 3) controller.abort()
      yield Buffer.from('a\n')
    }
  }
  const scan = scanLines(endless(), { offset: 1, limit: 1, signal: controller.signal })
  await expect(scan).rejects.toThrow('aborted')
})
