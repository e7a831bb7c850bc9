import { randomBytes } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { folderOf } from '../../../../tests/helpers/folder.ts'
import { Capture } from './capture.ts'
import { openLog } from './log.ts'

async function capture(limit: number, size = 1 << 20): Promise<{ made: Capture; file: string }> {
  const folder = folderOf()
  const file = join(folder, 'log')
  return { made: new Capture({ limit, openLog: () => openLog(file, size) }), file }
}

test('the log contains all output in order, however it is chunked', async () => {
  const chunk = fc.record({
    stream: fc.constantFrom('stdout' as const, 'stderr' as const),
    text: fc.string({ unit: 'grapheme', maxLength: 40 }),
    waits: fc.boolean(),
  })
  const folder = folderOf()
  let count = 0
  await fc.assert(
    fc.asyncProperty(fc.array(chunk, { maxLength: 40 }), async (chunks) => {
      const file = join(folder, `${count++}`)
      const made = new Capture({ limit: 50, openLog: () => openLog(file, 1 << 20) })
      for (const { stream, text, waits } of chunks) {
        const room = made.write(stream, Buffer.from(text))
        if (waits) await room
      }
      const { truncated, outputFile } = await made.end()
      const all = chunks.map(({ text }) => text).join('')
      expect(outputFile).toBe(truncated ? file : undefined)
      if (truncated) expect(await readFile(file, 'utf8')).toBe(all)
    }),
  )
})

test('a character split across chunks is decoded correctly', async () => {
  const { made } = await capture(100)
  const bytes = Buffer.from('aé😀b')
  for (const byte of bytes) void made.write('stdout', Uint8Array.of(byte))
  expect((await made.end()).stdout).toBe('aé😀b')
})

test('binary output is logged and counted, but not shown', async () => {
  const { made, file } = await capture(10_000)
  const bytes = randomBytes(5000)
  await made.write('stdout', bytes)
  const { stdout, outputFile, truncated } = await made.end()
  expect(stdout).toBe(`[5000 bytes of binary output, saved in ${file}]`)
  expect([outputFile, truncated]).toEqual([file, true])
  expect((await readFile(file)).equals(bytes)).toBe(true)
})

test('treats names terminated by NUL as text', async () => {
  const { made } = await capture(10_000)
  const names = 'src/some/file-name.ts\0'.repeat(100)
  await made.write('stdout', Buffer.from(names))
  expect((await made.end()).stdout).toBe(names)
})

test('a log has a maximum size, and other users cannot read it', async () => {
  const { made, file } = await capture(10, 100)
  for (let count = 0; count < 50; count++) await made.write('stdout', Buffer.from('0123456789'))
  const { isLogFull } = await made.end()
  expect(isLogFull).toBe(true)
  const { size, mode } = await stat(file)
  expect([size, mode & 0o777]).toEqual([100, 0o600])
})

test('a log is never written through a link', async () => {
  await expect(openLog('/dev/fd/0', 10)).rejects.toThrow()
})

test('continues without a log, and reports the loss', async () => {
  const file = '/dev/null/log'
  const made = new Capture({ limit: 10, openLog: () => openLog(file, 100) })
  for (let count = 0; count < 50; count++) await made.write('stdout', Buffer.from('0123456789'))
  const { stdout, isLogFull, truncated, outputFile } = await made.end()
  expect([isLogFull, truncated, outputFile]).toEqual([true, true, undefined])
  expect(stdout).toBe('01\n[… 490 characters omitted …]\n23456789')
})
