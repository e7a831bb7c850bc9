import fc from 'fast-check'
import { expect, test } from 'vitest'
import { codeIn } from './ignored-calls.ts'
import { isLong } from '../../../../../tests/helpers/size.ts'

const contents = (text: string): string[] => codeIn(text).map((part) => text.slice(...part))

test('finds blocks and spans', () => {
  expect(contents('a\n```xml\nb\nc\n```\nd `e` f ``g`h`` ~~~ i')).toEqual(['b\nc\n', 'e', 'g`h'])
  expect(contents('~~~\na\n```\nb\n~~~~\nc')).toEqual(['a\n```\nb\n'])
  expect(contents('```\nnever closed')).toEqual(['never closed'])
  expect(contents('a ` b')).toEqual([])
})

test('parts are in order, inside the text, and never overlap', () => {
  const text = fc
    .array(fc.constantFrom('`', '``', '```', '~~~', '\n', ' ', 'a', 'xml'), { maxLength: 40 })
    .map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(text, (given) => {
      let last = 0
      for (const [from, to] of codeIn(given)) {
        expect(from).toBeGreaterThanOrEqual(last)
        expect(to).toBeGreaterThanOrEqual(from)
        last = to
      }
      expect(last).toBeLessThanOrEqual(given.length)
    }),
  )
})

test('takes time that is linear in the text', () => {
  // A search that begins again for each mark would take minutes.
  const size = isLong ? 4_000_000 : 400_000
  const repeat = (piece: string): string => piece.repeat(size / piece.length)
  for (const piece of ['x~~~', 'x`` ` ``', '`', '~~~\n', 'a```b`` c`\n']) codeIn(repeat(piece))
  const lengths = Array.from(
    { length: isLong ? 2800 : 900 },
    (_, at) => `x${'`'.repeat(at + 1)}`,
  ).join('')
  expect(codeIn(lengths)).toEqual([])
})
