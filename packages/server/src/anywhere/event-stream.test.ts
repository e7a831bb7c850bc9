import fc from 'fast-check'
import { expect, test } from 'vitest'
import { printPosition, readPosition, START } from './event-stream.ts'

const count = fc.nat(999_999_999_999_999)

test('reads every printed position back unchanged', () => {
  const epoch = fc.stringMatching(/^[0-9a-f]{8}$/)
  const position = fc.oneof(
    fc.constant(START),
    fc.record({ seq: fc.oneof(fc.constant(-1), count) }),
    fc.record({
      seq: fc.oneof(fc.constant(-1), count),
      preview: fc.record({ number: count, epoch }),
    }),
  )
  fc.assert(
    fc.property(position, (each) => {
      expect(readPosition(printPosition(each))).toEqual(each)
    }),
  )
})

test('rejects any other text', () => {
  const texts = [
    '',
    ' ',
    '-2',
    '+1',
    '1.5',
    '1e3',
    '0x1',
    '1\n',
    '1 ',
    '\u0661',
    '1..1f00ba5e',
    '1.2',
    '1.2.',
    '1.2.1F00BA5E',
    '1.2.1f00ba5',
    '1.2.1f00ba5e0',
    '1.-1.1f00ba5e',
    '1.2.1f00ba5e.3',
    '1'.repeat(16),
    '9'.repeat(100_000),
    '__proto__',
    'NaN',
    '1\0',
  ]
  for (const text of texts) expect([text, readPosition(text)]).toEqual([text, undefined])
  fc.assert(
    fc.property(fc.string(), (text) => {
      const read = readPosition(text)
      if (read) expect(Number.isSafeInteger(read.seq)).toBe(true)
    }),
  )
})
