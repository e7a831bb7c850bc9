import { expect, test } from 'vitest'
import { toJson } from './json.ts'

test('writes the same output as JSON.stringify', () => {
  const value = { a: [1, 'two', null, true], b: { c: {} }, d: [] }
  expect(toJson(value)).toBe(JSON.stringify(value))
  expect(toJson(value, { indent: 2 })).toBe(JSON.stringify(value, null, 2))
})

test('escapes characters that a terminal interprets or hides, without changing the value', () => {
  const value = { text: '\x1b[2J \x9b2J \x7f \u202e \u2028 \ufeff \u{e0041} \ud800 \u200d' }
  const json = toJson(value)

  expect(json).toMatch(/^[\x20-\x7e]+$/)
  expect(JSON.parse(json)).toEqual(value)
})

test('writes values of any depth', () => {
  const depth = 200_000
  const value: unknown = JSON.parse('{"a":['.repeat(depth) + '1,2' + ']}'.repeat(depth))
  expect(toJson(value)).toBe('{"a":['.repeat(depth) + '1,2' + ']}'.repeat(depth))
})

test('writes values that JSON.stringify refuses', () => {
  expect(toJson({ a: 12345678901234567890n, b: [undefined, NaN], 'c"': 'd' })).toBe(
    '{"a":12345678901234567890,"b":[null,null],"c\\"":"d"}',
  )
})

test('keeps keys that look like object internals', () => {
  const json = '{"__proto__":{"a":1},"toJSON":"x","constructor":null}'
  expect(toJson(JSON.parse(json))).toBe(json)
})
