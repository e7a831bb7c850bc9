import { expect, test } from 'vitest'
import { Growing } from './growing.ts'

const [a, b, c, d] = [{ a: 1 }, { b: 1 }, { c: 1 }, { d: 1 }]

test('a list that comes again with more at its end is known, and taken once', () => {
  const known = new Growing<object, string>()
  known.keep([a, b], 'ab')
  expect(known.take([a, b, c, d])).toEqual({ count: 2, made: 'ab' })
  expect(known.take([a, b, c, d])).toBeUndefined()
})

test('one that is shorter, begins otherwise or is another is not', () => {
  const known = new Growing<object, string>()
  known.keep([a, b], 'ab')
  expect(known.take([])).toBeUndefined()
  expect(known.take([a])).toBeUndefined()
  expect(known.take([c, b, d])).toBeUndefined()
  expect(known.take([b, d])).toBeUndefined()
  expect(known.take([a, c, b])).toBeUndefined()
  expect(known.take([a, b])).toEqual({ count: 2, made: 'ab' })
})
