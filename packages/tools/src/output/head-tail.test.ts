import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HeadTail } from './head-tail.ts'

const pieces = fc.array(fc.string({ unit: 'binary', maxLength: 20 }), { maxLength: 30 })

/** An unpaired surrogate. */
const LONE = /\p{Surrogate}/u

function filled(limit: number, texts: readonly string[]): HeadTail {
  const kept = new HeadTail(limit)
  for (const text of texts) kept.add(text)
  return kept
}

test('keeps a short text exactly', () => {
  fc.assert(
    fc.property(pieces, (texts) => {
      const all = texts.join('')
      expect(filled(all.length, texts).text(() => '!')).toBe(all)
    }),
  )
})

test('keeps the beginning and end of a long text, splits no character, and counts the omitted ones', () => {
  fc.assert(
    fc.property(pieces, fc.nat({ max: 60 }), (texts, limit) => {
      const all = texts.join('')
      const kept = filled(limit, texts)
      fc.pre(kept.isCut)
      let leftOut = -1
      const mark = '\u0000gap\u0000'
      const text = kept.text((count) => ((leftOut = count), mark))
      const [head = '', tail = ''] = text.split(mark)
      expect(all.startsWith(head)).toBe(true)
      expect(all.endsWith(tail)).toBe(true)
      expect(head.length + leftOut + tail.length).toBe(all.length)
      expect(head.length + tail.length).toBeLessThanOrEqual(limit)
      expect(head).not.toMatch(LONE)
      expect(tail).not.toMatch(LONE)
    }),
  )
})

test('memory use is bounded by a few times the limit', () => {
  const kept = new HeadTail(1000)
  for (let count = 0; count < 100_000; count++) kept.add('0123456789')
  expect(kept.length).toBe(1_000_000)
  expect(kept.text(() => '').length).toBeLessThanOrEqual(1000)
})
