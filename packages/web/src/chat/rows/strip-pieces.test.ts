import type { Part } from '@toolglot/react/view'
import { expect, test } from 'vitest'
import { callPart } from './example-parts.ts'
import { stripPieces } from './strip-pieces.ts'
import { isLong } from '../../../../../tests/helpers/size.ts'

test('draws pieces to scale, without whitespace between calls', () => {
  const parts: Part[] = [
    { type: 'reasoning', id: 'r', text: 'hmm', at: 0 },
    { type: 'text', id: 't', text: 'Look.', at: 3 },
    callPart(),
    { type: 'text', id: 'n', text: '\n', at: 9 },
    { type: 'made-up', id: 'm', text: 'fake' },
  ]
  expect(stripPieces({ parts })).toEqual([
    ['reasoning', 3],
    ['text', 5],
    ['call', callPart().call!.raw.length],
    ['made-up', 4],
  ])
})

test('merges thousands of calls into a few pieces of the same total length', () => {
  const count = isLong ? 100_000 : 10_000
  const parts = Array.from({ length: count }, (_, at): Part =>
    at % 2 ? callPart() : { type: 'text', id: `t${at}`, text: 'and', at },
  )
  const pieces = stripPieces({ parts })
  const total = (count / 2) * (3 + callPart().call!.raw.length)
  expect(pieces.length).toBeLessThanOrEqual(25)
  expect(pieces.reduce((sum, [, length]) => sum + length, 0)).toBe(total)
})
