import { writeFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import type { ToolError } from '@toolglot/agent'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readPdfPages } from '../read/read-pdf.ts'
import { pdfOf, streamOf } from '../../test/pdf.ts'
import { contextOf, createWorkspace, type Workspace } from '../../test/workspace.ts'
import { readTool } from './read.ts'
import { isLong, share } from '../../../../tests/helpers/size.ts'

let workspace: Workspace
beforeAll(async () => {
  workspace = await createWorkspace()
})
afterAll(() => workspace.remove())

async function read(bytes: Uint8Array, pages?: string) {
  writeFileSync(workspace.path('a.pdf'), bytes)
  const tool = readTool(workspace.host)
  return tool.execute({ file_path: 'a.pdf', pages }, contextOf())
}

const failure = (bytes: Uint8Array, pages?: string): Promise<ToolError> =>
  read(bytes, pages).then(
    (result) => {
      throw new Error(`It was read: ${JSON.stringify(result)}`)
    },
    (error: unknown) => error as ToolError,
  )

test('shows the text of a PDF page by page', async () => {
  expect(await read(pdfOf(['Hello world\nsecond line', 'the end']))).toMatchObject({
    content: '--- page 1 ---\nHello world\nsecond line\n\n--- page 2 ---\nthe end',
    kind: 'pdf',
    total_pages: 2,
    first_page: 1,
    last_page: 2,
    notice: 'Pages 1-2 of 2.',
  })
})

test.each(isLong ? [1, 2] : [2])('reads text that is compressed %i times', async (packed) => {
  let bytes: Uint8Array = Buffer.from('BT /F 12 Tf 20 700 Td (packed) Tj ET')
  for (let time = 0; time < packed; time++) bytes = deflateSync(bytes)
  const { content } = await read(pdfOf(['x'], { contents: streamOf(bytes, packed) }))
  expect(content).toBe('--- page 1 ---\npacked')
})

const many = pdfOf(Array.from({ length: 45 }, (_, index) => `text ${index + 1}`))

const ranges = [
  [undefined, 1, 20, 'Pages 1-20 of 45. Use pages: "21-40" to continue.'],
  ['3', 3, 3, 'Pages 3-3 of 45.'],
  ['2-4', 2, 4, 'Pages 2-4 of 45.'],
  ['10-45', 10, 29, 'Pages 10-29 of 45. Use pages: "30-45" to continue.'],
  ['41-60', 41, 45, 'Pages 41-45 of 45.'],
] as const

test.each(share(ranges, 3))('shows pages %s', async (pages, first, last, notice) => {
  const result = await read(many, pages)
  expect(result).toMatchObject({ first_page: first, last_page: last, notice })
  expect(result.content.match(/text \d+/g)).toEqual(
    Array.from({ length: last - first + 1 }, (_, index) => `text ${first + index}`),
  )
})

const invalid = [
  ['46', '45 pages'],
  ['0', 'starting at 1'],
  ['4-2', 'such as 3 or 1-5'],
] as const

test.each(share(invalid, 3))('refuses pages %s', async (pages, message) => {
  const error = await failure(many, pages)
  expect([error.errorType, error.message]).toEqual([
    'invalid_input',
    expect.stringContaining(message),
  ])
})

test('truncates long text', async () => {
  const result = await read(pdfOf([`${'word word\n'.repeat(isLong ? 10_000 : 6000)}`, 'next']))
  expect(result.content.length).toBe(50 * 1024)
  expect(result.notice).toContain('Page 1 was cut')
  expect(result.notice).toContain('Use pages: "2-2" to continue')
})

test('reports pages without text', async () => {
  expect((await read(pdfOf(['', '']))).notice).toContain('There is no text on these pages')
})

test('refuses a PDF that requires a password', async () => {
  const zeros = '00'.repeat(32)
  const encrypt = `/ID[<${zeros}><${zeros}>]/Encrypt<</Filter/Standard/V 1/R 2/P -4/O<${zeros}>/U<${zeros}>>>`
  const error = await failure(pdfOf(['secret'], { trailer: encrypt }))
  expect(error.details).toMatchObject({ code: 'pdf_encrypted' })
  expect(error.message).toContain('password')
})

test('refuses a file that only starts like a PDF', async () => {
  for (const text of ['%PDF-1.7\n', `%PDF-1.7\n${'x'.repeat(100_000)}`])
    expect((await failure(Buffer.from(text))).details).toMatchObject({ code: 'pdf_broken' })
})

test('refuses a PDF that is too large', async () => {
  const error = await failure(Buffer.concat([pdfOf(['a']), Buffer.alloc(10 << 20)]))
  expect(error.details).toMatchObject({ code: 'too_large' })
})

const options = { name: 'a.pdf', first: 1, last: 1, maxCharacters: 1000 }

test('refuses a decompression bomb', async () => {
  const line = 'BT /F 12 Tf 20 700 Td (x) Tj ET\n'
  const text = Buffer.from(line.repeat(isLong ? 4_000_000 : 1_500_000))
  const contents = streamOf(deflateSync(deflateSync(text, { level: 1 })), 2)
  expect(contents.length).toBeLessThan(1 << 20)
  const { signal } = new AbortController()
  const reading = readPdfPages(pdfOf(['x'], { contents }), { ...options, signal, memory: 32 })
  await expect(reading).rejects.toMatchObject({ details: { code: 'pdf_too_large' } })
}, 60_000)

test('stops reading a PDF that takes too long, or when aborted', async () => {
  const stop = new AbortController()
  const { signal } = stop
  const slow = readPdfPages(many, { ...options, signal, timeout: 1 })
  await expect(slow).rejects.toMatchObject({ details: { code: 'pdf_too_large' } })
  const stopped = readPdfPages(many, { ...options, signal })
  stop.abort(new Error('enough'))
  await expect(stopped).rejects.toThrow('enough')
})
