import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TokenText } from './token-text.ts'

/** Each token is a byte. As in llama.cpp, an incomplete character becomes U+FFFD. */
function read(bytes: Uint8Array): string[] {
  const writer = new TokenText([])
  const texts = [...bytes].map((token) => {
    const text = Buffer.from([...writer.context.pending, token]).toString()
    return writer.add({ token, text })
  })
  return [...texts, writer.end()]
}

test('a character in several tokens is written when it is complete', () => {
  expect(read(Buffer.from('aü€😀'))).toEqual(['a', '', 'ü', '', '', '€', '', '', '', '😀', ''])
})

test('passes any text through unchanged', () => {
  const texts = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\ufffd', ''))
  fc.assert(
    fc.property(texts, (text) => {
      expect(read(Buffer.from(text)).join('')).toBe(text)
    }),
  )
})

test('writes bytes that are not text', () => {
  const bytes = Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0xff, 0x61)
  expect(read(bytes).join('')).toBe('\ufffd\ufffd\ufffd\ufffd\ufffda')
  expect(read(Uint8Array.of(0xc3)).join('')).toBe('\ufffd')
})

test('the preceding tokens are those of the prompt, then of the reply', () => {
  const writer = new TokenText([1, 2, 3])
  expect(writer.context).toEqual({ pending: [], before: [1, 2, 3] })
  writer.add({ token: 4, text: 'a' })
  writer.add({ token: 5, text: '\ufffd' })
  expect(writer.context).toEqual({ pending: [5], before: [1, 2, 3, 4] })
})
