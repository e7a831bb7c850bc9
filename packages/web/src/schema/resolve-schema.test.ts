import { expect, test } from 'vitest'
import { counted } from '../../../../tests/helpers/counted.ts'
import { resolveSchema } from './resolve-schema.ts'

const root = {
  $defs: {
    list: [{ type: 'integer' }],
    'a/b': { type: 'string', description: 'A path' },
    to: { $ref: '#/$defs/a~1b', description: 'Mine' },
    parts: { allOf: [{ $ref: '#/$defs/one' }, { allOf: [{ $ref: '#/$defs/two' }] }] },
    one: { properties: { x: { type: 'string' } }, required: ['x'] },
    two: { properties: { y: true }, required: ['y'] },
    circle: { $ref: '#/$defs/back' },
    back: { $ref: '#/$defs/circle' },
  },
}

test.each<[string, object | undefined]>([
  ['#/$defs/list/0', { type: 'integer' }],
  ['#/$defs/a~1b', { type: 'string', description: 'A path' }],
  ['#/$defs/to', { type: 'string', description: 'Mine' }],
  ['#/$defs/parts', { properties: { y: true, x: { type: 'string' } }, required: ['x', 'y'] }],
  ['#/$defs/circle', undefined],
  ['#/$defs/toString', undefined],
  ['#/%zz', undefined],
  ['http://127.0.0.1:9/x.json', undefined],
])('%s', ($ref, expected) => {
  expect(resolveSchema({ $ref }, root)).toEqual(expected)
})

test('stops early if each of sixteen parts has sixteen parts', () => {
  const $defs = Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [
      `a${at}`,
      { allOf: Array.from({ length: 16 }, () => ({ $ref: `#/$defs/a${at + 1}` })) },
    ]),
  )
  const { value: root, reads } = counted({ $defs })
  expect(resolveSchema({ $ref: '#/$defs/a0' }, root)).toBeUndefined()
  expect(reads()).toBeLessThan(1000)
})
