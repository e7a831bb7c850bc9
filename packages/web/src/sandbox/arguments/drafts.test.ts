import { expect, test } from 'vitest'
import { type Draft, drafts, withoutPieces, withPiece, withValue } from './drafts.ts'

const start: Draft = withValue(drafts.get('x'), { list: [null, null, null], one: 1 })

test('invalid JSON is removed with its value, and stays while other values change', () => {
  const wrong = withPiece(withPiece(start, '/list/2', '{bad'), '/one', '[')
  expect([...withValue(wrong, { list: [null, 5, null], one: 1 }).pieces]).toEqual([
    ['/list/2', '{bad'],
    ['/one', '['],
  ])
  // The item is removed and the field is cleared.
  expect([...withValue(wrong, { list: [null, null], one: 1 }).pieces]).toEqual([['/one', '[']])
  expect([...withValue(wrong, { list: [null, null, null] }).pieces]).toEqual([['/list/2', '{bad']])
})

test('moving items removes their invalid JSON, even if the items are equal', () => {
  const wrong = withPiece(withPiece(start, '/list/1', '{bad'), '/one', '[')
  expect([...withoutPieces(wrong, '/list').pieces]).toEqual([['/one', '[']])
})
