import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PlainText } from './plain-text.ts'

const cases: [name: string, text: string, plain: string][] = [
  ['nothing', 'a\tb\r\nc', 'a\tb\r\nc'],
  ['a colour', '\u001B[1;31mred\u001B[0m!', 'red!'],
  ['a cursor move', 'a\u001B[2K\u001B[Gb', 'ab'],
  ['a title', '\u001B]0;title\u0007text', 'text'],
  ['a link', '\u001B]8;;http://a.b\u001B\\text\u001B]8;;\u001B\\', 'text'],
  ['a character set', '\u001B(Btext', 'text'],
  ['a single-character code', '\u001BMtext', 'text'],
  ['an 8-bit code', '\u009B31mred', 'red'],
  ['an unterminated title', '\u001B]0;title\nnext line', '\nnext line'],
  ['an interrupted code', '\u001B[31\nnext', '\nnext'],
  ['a letter that cannot be in a code', '\u001B[é', 'é'],
  ['an escape at the end', 'text\u001B', 'text'],
]

test.each(cases)('removes %s', (_name, text, plain) => {
  expect(new PlainText().feed(text)).toBe(plain)
})

test('gives the same result for any chunking', () => {
  const unit = fc.constantFrom(...'\u001B[]3;m\u0007\né\u009B\\ x'.split(''))
  fc.assert(
    fc.property(fc.array(fc.string({ unit, maxLength: 6 })), (chunks) => {
      const whole = new PlainText().feed(chunks.join(''))
      const plain = new PlainText()
      expect(chunks.map((chunk) => plain.feed(chunk)).join('')).toBe(whole)
      expect(whole).not.toContain('\u001B')
    }),
  )
})
