import { describe, expect, test } from 'vitest'
import { draftOf, LIMIT_GROUPS, readLimit, readLimits, typed } from './limit-fields.ts'

const field = (name: string) =>
  LIMIT_GROUPS.flatMap(({ fields }) => [...fields]).find((each) => each.name === name)!

describe('readLimit', () => {
  test.each([
    ['maxIterations', ' 50 ', { value: 50 }],
    ['maxIterations', '', { value: undefined }],
    ['maxIterations', '0', { fault: { kind: 'range', least: 1, most: 1_000_000 } }],
    ['maxIterations', '1000001', { fault: { kind: 'range', least: 1, most: 1_000_000 } }],
    ['maxIterations', '1.5', { fault: { kind: 'whole' } }],
    ['maxIterations', 'ten', { fault: { kind: 'number' } }],
    ['maxIterations', '1e3', { fault: { kind: 'number' } }],
    ['maxRetries', '0', { value: 0 }],
    ['toolTimeout', '0.25', { value: 250 }],
    ['toolTimeout', '90', { value: 90_000 }],
    ['toolTimeout', '0', { fault: { kind: 'positive' } }],
    ['toolTimeout', '-1', { fault: { kind: 'positive' } }],
    ['toolTimeout', '3000000', { fault: { kind: 'range', least: 0, most: 2_147_483 } }],
    ['maxCost', '0.5', { value: 0.5 }],
    ['maxCost', '0', { fault: { kind: 'positive' } }],
  ])('%s %j', (name, text, expected) => {
    expect(readLimit(field(name), text)).toEqual(expected)
  })
})

test('stored limits survive a round trip through the form', () => {
  const { limits, faults } = readLimits({ maxIterations: '50', toolTimeout: '1.5' }, undefined)
  expect([limits, faults]).toEqual([{ maxIterations: 50, toolTimeout: 1500 }, {}])
  expect(draftOf(limits)).toEqual({ maxIterations: '50', toolTimeout: '1.5' })
  expect(typed('maxCost', 0.5)).toBe('0.5')
})

test('an empty field restores the default; unknown limits are kept', () => {
  const before = { maxIterations: 50, later: 7 }
  expect(readLimits({ maxIterations: '' }, before).limits).toEqual({ later: 7 })
})

test('reports every invalid field', () => {
  const { faults } = readLimits({ maxIterations: 'x', maxCost: '-1', maxToolCalls: '5' }, {})
  expect(faults).toEqual({ maxIterations: { kind: 'number' }, maxCost: { kind: 'positive' } })
})

test('shows no values for invalid settings', () => {
  expect(draftOf('x')).toEqual({})
  expect(draftOf({ maxIterations: '5', other: 1 })).toEqual({})
})
