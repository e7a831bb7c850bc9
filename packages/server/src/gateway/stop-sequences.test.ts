import fc from 'fast-check'
import { expect, test } from 'vitest'
import { StopSequences } from './stop-sequences.ts'

/** The text read from these pieces, and the sequence that ended it. */
function read(pieces: readonly string[], sequences: readonly string[]) {
  const stops = new StopSequences(sequences)
  const text = pieces.map((piece) => stops.add(piece)).join('') + stops.flush()
  return { text, matched: stops.matched }
}

/** The expected result, found in the simplest way. */
function expected(text: string, sequences: readonly string[]) {
  for (let end = 1; end <= text.length; end++) {
    const start = text.slice(0, end)
    const ending = sequences.filter((each) => start.endsWith(each))
    const [longest] = ending.sort((one, other) => other.length - one.length)
    if (longest !== undefined)
      return { text: start.slice(0, end - longest.length), matched: longest }
  }
  return { text, matched: undefined }
}

const words = fc.string({ unit: fc.constantFrom('a', 'b', '\n'), minLength: 1, maxLength: 6 })
const texts = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 8 }))

test('ends text at the first sequence, in any chunking', () => {
  fc.assert(
    fc.property(texts, fc.array(words, { maxLength: 4 }), (pieces, sequences) => {
      expect(read(pieces, sequences)).toEqual(expected(pieces.join(''), sequences))
    }),
    { numRuns: 2000 },
  )
})

test('holds back only a possible start of a sequence', () => {
  const stops = new StopSequences(['</done>', '\n\nHuman:'])
  expect(stops.add('One </d')).toBe('One ')
  expect(stops.add('ay>')).toBe('</day>')
  expect(stops.add('Two\n')).toBe('Two')
  expect(stops.add('\nHum')).toBe('')
  expect(stops.flush()).toBe('\n\nHum')
  // A piece after other content does not complete a held-back sequence.
  expect(stops.add('an:')).toBe('an:')
  expect(stops.matched).toBe(undefined)
})

test('returns no text after the end', () => {
  const stops = new StopSequences(['x'])
  expect([stops.add('onextwo'), stops.add('three'), stops.flush()]).toEqual(['one', '', ''])
})
