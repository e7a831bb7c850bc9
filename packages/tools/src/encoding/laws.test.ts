import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { guessEncoding, decodeUtf8, encodeUtf8 } from './guess.ts'
import { decodeLegacy, encodeLegacy, encodingName, isWide, toUtf8 } from './legacy.ts'
import { decodeText, encodeText, encodingOf } from './text.ts'

test('any bytes survive decoding and encoding, or are refused', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const encoding = encodingOf(bytes)
      const text = decodeText(bytes, encoding)
      if (text !== undefined)
        expect(Buffer.from(encodeText(text, encoding)!)).toEqual(Buffer.from(bytes))
      if (encoding.name === 'utf-8') expect(text).toBeDefined()
    }),
    { numRuns: 500 },
  )
})

test('UTF-8 round-trips any bytes, and decodes valid ones as usual', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      expect(Buffer.from(encodeUtf8(decodeUtf8(bytes)))).toEqual(Buffer.from(bytes))
    }),
  )
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(decodeUtf8(Buffer.from(text))).toBe(text)
    }),
  )
})

test.each(['utf-8', 'utf-16le', 'utf-16be', 'utf-32le', 'utf-32be'])(
  'text in %s round-trips, with and without a byte order mark',
  (name) => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.boolean(), (text, marked) => {
        const mark = marked ? [...encodeText('\ufeff', { name, mark: [] })!] : []
        const bytes = encodeText(text, { name, mark })!
        expect(decodeText(bytes, { name, mark })).toBe(text)
        if (marked) expect(encodingOf(bytes)).toEqual({ name, mark })
      }),
    )
  },
)

const legacy: [name: string, text: string][] = [
  ['gbk', '这是一个用于测试的简体中文文件，内容包括常用的汉字和标点符号。'],
  ['big5', '這是一個用於測試的繁體中文檔案，內容包括常用的漢字和標點符號。'],
  ['shift_jis', 'これはテストのための日本語のファイルです。漢字とかなが入っています。'],
  ['euc-jp', 'これはテストのための日本語のファイルです。漢字とかなが入っています。'],
  ['euc-kr', '이것은 시험을 위한 한국어 파일입니다. 자주 쓰는 글자가 들어 있습니다.'],
  ['windows-1252', 'Größe und Übermut, déjà vu, señor, façade, naïve – “quotes”'],
]

describe.each(legacy)('%s', (name, text) => {
  const bytes = encodeLegacy(text, name)!

  test('is guessed, and round-trips exactly', () => {
    expect(guessEncoding(bytes)).toBe(name)
    expect(guessEncoding(Buffer.concat([Buffer.from('# name: x\n'), bytes]))).toBe(name)
    expect(decodeText(bytes, { name, mark: [] })).toBe(text)
  })

  test('encodes what it decoded, and refuses characters it lacks', () => {
    const again = encodeLegacy(decodeLegacy(bytes, name)!, name)
    expect(Buffer.from(again!)).toEqual(Buffer.from(bytes))
    expect(encodeLegacy('ữ😀', name)).toBeUndefined()
  })
})

test('UTF-8 that is cut inside a character is still guessed as UTF-8', () => {
  const bytes = Buffer.from('Tiếng Việt có dấu')
  for (let end = 0; end <= bytes.length; end++)
    expect(guessEncoding(bytes.subarray(0, end))).toBe('utf-8')
})

test('labels of encodings resolve to their names', () => {
  expect(encodingName('GB2312')).toBe('gbk')
  expect(encodingName('latin1')).toBe('windows-1252')
  expect(encodingName('UTF-32LE')).toBe('utf-32le')
  expect(encodingName('nothing')).toBeUndefined()
})

test.each(['utf-16le', 'utf-16be', 'utf-32le', 'utf-32be'])(
  '%s becomes the same UTF-8 in any chunking',
  async (name) => {
    expect(isWide(name)).toBe(true)
    const text = 'chào bạn\n😀 \ufeff end'
    const bytes = Buffer.from(encodeText(`\ufeff${text}`, { name, mark: [] })!)
    for (let size = 1; size <= 9; size++) {
      const parts: Uint8Array[] = []
      for await (const part of toUtf8(piecesOf(bytes, size), name)) parts.push(part)
      expect(Buffer.concat(parts).toString()).toBe(text)
    }
  },
)

async function* piecesOf(bytes: Uint8Array, size: number): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
