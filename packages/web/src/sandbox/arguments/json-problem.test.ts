import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readArguments, readValue } from './json-problem.tsx'
import { runs } from '../../../../../tests/helpers/size.ts'

test('accepts only a JSON object; empty text is an empty one', () => {
  expect(readArguments(' ')).toEqual({ value: {} })
  expect(readArguments('{"a": [1, {"a": null}]}')).toEqual({ value: { a: [1, { a: null }] } })
})

test.each<[string, object]>([
  ['{\n  "a": 1,\n  "b" 2\n}', { type: 'syntax', line: 3, column: 7, found: '2' }],
  ['{"a": 1,}', { type: 'syntax', line: 1, column: 9, found: '}' }],
  ["{'a': 1}", { type: 'syntax', line: 1, column: 2, found: "'" }],
  ['{"a": 01}', { type: 'syntax', line: 1, column: 7, found: '0' }],
  ['{"a": "\\x"}', { type: 'syntax', line: 1, column: 9, found: 'x' }],
  ['{"a": "x\ny"}', { type: 'syntax', line: 1, column: 9, found: '\n' }],
  ['{"a": tru}', { type: 'syntax', line: 1, column: 7, found: 't' }],
  ['{"a": 1', { type: 'end', line: 1, column: 8, found: '' }],
  ['{"a": 1, "b": {"a": 1}, "\\u0061": 2}', { type: 'duplicate', line: 1, column: 25, found: 'a' }],
  ['\n[1]', { type: 'notObject', line: 2, column: 1 }],
  ['{"a": 1} x', { type: 'syntax', line: 1, column: 10, found: 'x' }],
  [`{"a": ${'['.repeat(5000)}`, { type: 'deep', line: 1 }],
])('%j is wrong where it is', (text, problem) => {
  expect(readArguments(text)).toMatchObject({ problem })
})

test('treats __proto__ as an ordinary key', () => {
  const read = readArguments('{"__proto__": {"x": 1}}') as { value: object }
  expect(Object.keys(read.value)).toEqual(['__proto__'])
  expect((read.value as { x?: unknown }).x).toBeUndefined()
})

test('law: accepts exactly what JSON.parse accepts', () => {
  const accepts = (text: string): boolean => {
    try {
      JSON.parse(text)
      return true
    } catch {
      return false
    }
  }
  const change = fc.record({
    at: fc.nat(200),
    put: fc.constantFrom('', '"', ',', '}', '\\', '0', 'e', '\n', '.'),
  })
  fc.assert(
    fc.property(fc.json({ maxDepth: 3 }), fc.array(change, { maxLength: 2 }), (json, changes) => {
      const text = changes.reduce(
        (last, { at, put }) => last.slice(0, at) + put + last.slice(at + 1),
        json,
      )
      const read = readValue(text)
      if ('problem' in read && read.problem.type === 'duplicate') return
      expect('value' in read).toBe(accepts(text))
      if ('value' in read) expect(read.value).toEqual(JSON.parse(text))
    }),
    runs(5000),
  )
})
