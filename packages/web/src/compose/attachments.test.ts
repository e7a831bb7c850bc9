import { describe, expect, test } from 'vitest'
import {
  addFile,
  addRead,
  ATTACHMENT_LIMITS,
  type AttachedFile,
  checkLength,
  decodeText,
  imageFile,
  textFile,
} from './attachments.ts'

const { count, text, image, total, prompt, message } = ATTACHMENT_LIMITS
const small = textFile('1', 'a.txt', 'a')

describe('attachments', () => {
  test('include files read later', () => {
    const other = textFile('2', 'b.txt', 'b')
    const problem = { type: 'binary', name: 'c', limit: 0 } as const
    const first = addRead({ files: [small], problems: [problem] }, [problem, other])
    expect(first).toEqual({ files: [small, other], problems: [problem, problem] })
    const full = { files: Array<AttachedFile>(count).fill(small), problems: [] }
    expect(addRead(full, [small, small])).toMatchObject({
      files: full.files,
      problems: [{ type: 'count' }],
    })
  })

  test('keep the order of a text and an image', () => {
    const picture = imageFile('2', 'b.png', 'data:image/png;base64,AA==')
    expect(addFile([small], picture)).toEqual([small, picture])
  })

  test.each<[string, readonly AttachedFile[], AttachedFile, object]>([
    ['too many', Array<AttachedFile>(count).fill(small), small, { type: 'count', limit: count }],
    ['a long text', [], textFile('1', 'x', 'x'.repeat(text + 1)), { type: 'text', limit: text }],
    [
      'a large image',
      [],
      imageFile('1', 'x', 'x'.repeat(image + 1)),
      { type: 'image', limit: 21 << 20 },
    ],
    [
      'too much in all',
      [imageFile('1', 'x', 'x'.repeat(image))],
      textFile('2', 'x', 'x'.repeat(text)),
      { type: 'total', limit: total },
    ],
  ])('not %s', (_, before, file, problem) => {
    expect(addFile(before, file)).toMatchObject(problem)
  })

  test('can be the largest text or the largest image', () => {
    expect(addFile([], textFile('1', 'x', 'x'.repeat(text)))).toHaveLength(1)
    expect(addFile([], imageFile('1', 'x', 'x'.repeat(image)))).toHaveLength(1)
  })

  test('count escaped characters as sent', () => {
    expect(textFile('1', 'x', '\n'.repeat(100)).size).toBeGreaterThan(200)
    expect(textFile('1', 'x', 'ế'.repeat(100)).size).toBeGreaterThan(300)
  })

  test("have names truncated to the server's limit", () => {
    expect(textFile('1', 'n'.repeat(2000), '').attachment).toMatchObject({ name: 'n'.repeat(1000) })
  })
})

test.each<[string, readonly number[], string | undefined]>([
  ['text', [0x68, 0x69], 'hi'],
  ['nothing', [], ''],
  ['a byte order mark', [0xef, 0xbb, 0xbf, 0x68], 'h'],
  ['no UTF-8', [0xff, 0xfe, 0x68], undefined],
  ['a zero byte', [0x68, 0, 0x69], undefined],
])('the text of %s', (_, bytes, expected) => {
  expect(decodeText(new Uint8Array(bytes))).toBe(expected)
})

describe('the maximum length of a message', () => {
  test('is lower for a working run, and includes the text of files', () => {
    expect(checkLength('x'.repeat(prompt), [], false)).toBeUndefined()
    expect(checkLength('x'.repeat(prompt + 1), [], false)).toMatchObject({ limit: prompt })
    expect(checkLength('x'.repeat(message), [], true)).toBeUndefined()
    expect(checkLength('x'.repeat(message), [small], true)).toMatchObject({ limit: message })
    expect(checkLength('x', [imageFile('1', 'x', 'x'.repeat(message))], true)).toBeUndefined()
  })
})
