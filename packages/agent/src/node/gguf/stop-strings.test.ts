import fc from 'fast-check'
import { expect, test } from 'vitest'
import { StopStrings } from './stop-strings.ts'

function read(pieces: readonly string[], strings: readonly string[]): string {
  const stops = new StopStrings(strings)
  let all = ''
  for (const piece of pieces) {
    const { text, stopped } = stops.add(piece)
    all += text
    if (stopped !== undefined) return `${all}|`
  }
  return all + stops.end()
}

test.each([
  [['one two three'], ['two'], 'one |'],
  [['one t', 'w', 'o three'], ['two'], 'one |'],
  [['one t', 'w'], ['two'], 'one tw'],
  [['ttt', 'two'], ['two'], 'ttt|'],
  [['<|im', '_end|>'], ['<|im_end|>', '<'], '|'],
  [['abc'], [''], 'abc'],
  [['abc'], [], 'abc'],
])('%j with %j', (pieces, strings, expected) => {
  expect(read(pieces, strings)).toBe(expected)
})

test('ends the text at the first stop string, in any chunking', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 12 })
  const strings = fc.array(
    fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 4 }),
    { maxLength: 3 },
  )
  fc.assert(
    fc.property(fc.array(letters), strings, (pieces, stops) => {
      // The first stop string to be complete ends the text, even if another one started before it.
      const text = pieces.join('')
      const ends = stops.flatMap((stop) => (text.includes(stop) ? [text.indexOf(stop)] : []))
      const got = read(pieces, stops)
      expect(got.endsWith('|')).toBe(ends.length > 0)
      expect(text.startsWith(got.replace('|', ''))).toBe(true)
      if (ends.length === 0) expect(got).toBe(text)
      else expect(stops.some((stop) => text.startsWith(stop, got.length - 1))).toBe(true)
    }),
  )
})
