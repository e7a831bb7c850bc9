import { expect, test } from 'vitest'
import { deepValue } from '../../core/test/nasty-schemas.ts'
import { canonicalJson } from './canonical-json.ts'
import { isLong } from '../../../tests/helpers/size.ts'

test('sorts keys and omits undefined members', () => {
  const value = { b: [1, undefined, { d: null, c: 'x' }], a: undefined, __proto__: null, A: {} }
  expect(canonicalJson(value)).toBe('{"A":{},"b":[1,null,{"c":"x","d":null}]}')
  expect([1, 'a', null, undefined, [], {}].map(canonicalJson)).toEqual([
    ...['1', '"a"', 'null', 'null', '[]', '{}'],
  ])
})

test('nesting uses no stack', () => {
  const depth = isLong ? 100_000 : 20_000
  expect(canonicalJson(deepValue(depth))).toBe(`${'['.repeat(depth)}1${']'.repeat(depth)}`)
})

test('an object may occur twice, but not inside itself', () => {
  const shared = { a: 1 }
  expect(canonicalJson([shared, shared])).toBe('[{"a":1},{"a":1}]')
  const loop: unknown[] = []
  loop.push({ loop })
  expect(() => canonicalJson(loop)).toThrow(TypeError)
})
