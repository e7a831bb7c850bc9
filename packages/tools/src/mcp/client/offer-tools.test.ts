import { expect, test } from 'vitest'
import { cleanSchema } from './offer-tools.ts'
import { cleanText } from './clean-text.ts'

const text = { type: 'string' }
const object = (properties: object, more: object = {}): object => ({
  type: 'object',
  properties,
  ...more,
})
const nested = (depth: number): object => (depth === 0 ? text : { items: nested(depth - 1) })

test.each<[string, object, object]>([
  ['a parameter named pattern stays', object({ pattern: text }), object({ pattern: text })],
  ['a pattern is dropped', object({ a: { ...text, pattern: '(a+)+$' } }), object({ a: text })],
  [
    'nor do names that fit one, which are then additional',
    object({}, { patternProperties: { '(a+)+$': text }, additionalProperties: false }),
    object({}),
  ],
  [
    'a negation with a pattern is dropped',
    object({}, { not: { properties: { a: { pattern: 'a' } } } }),
    object({}),
  ],
  [
    'a negation without a pattern stays',
    object({}, { not: { required: ['a'] } }),
    object({}, { not: { required: ['a'] } }),
  ],
  [
    'references inside',
    object({ a: { $ref: '#/$defs/a' } }, { $defs: { a: text } }),
    object({ a: { $ref: '#/$defs/a' } }, { $defs: { a: text } }),
  ],
  [
    'texts are cleaned',
    object({ a: { ...text, title: 'x\u200b\u0007', description: '\u202ey' } }),
    object({ a: { ...text, title: 'x', description: 'y' } }),
  ],
  [
    'values are kept',
    object({ a: { enum: ['b', 1, null], default: { c: [1] } } }),
    object({ a: { enum: ['b', 1, null], default: { c: [1] } } }),
  ],
  ['annotations are dropped', object({}, { $schema: 'x', $id: 'y', $comment: 'z' }), object({})],
])('%s', (_, given, clean) => {
  expect(cleanSchema(given)).toEqual(clean)
})

test.each<[string, unknown, string]>([
  ['a hidden name', object({ 'a\u200b': text }), 'hidden characters'],
  ['a hidden value', object({ a: { enum: ['\u202eb'] } }), 'hidden characters'],
  ['a property of Object.prototype', JSON.parse('{"properties": {"__proto__": {}}}'), '__proto__'],
  ['an external reference', object({ a: { $ref: 'file:///etc/passwd' } }), 'another document'],
  ['deep nesting', nested(40), 'nested too deeply'],
  ['a huge schema', object({ a: { description: 'x'.repeat(70_000) } }), 'longer than 65536'],
])('%s is rejected', (_, given, reason) => {
  expect(cleanSchema(given)).toContain(reason)
})

test('removes hidden characters from text and truncates it', () => {
  expect(cleanText('a\u0000\u001b[2J\u202eb\n\tc\u{e0041}\ufe0f', 100)).toBe('a[2Jb\n\tc')
  expect(cleanText('x'.repeat(50), 10)).toBe(`${'x'.repeat(9)}…`)
  expect(cleanText('\u{1f600}'.repeat(50), 10)).toBe(`${'\u{1f600}'.repeat(4)}…`)
  expect(cleanText('\u200b'.repeat(1000), 10)).toBe('…')
})
