import { expect, test } from 'vitest'
import { defaultLimits, type Limits } from '../limits.ts'
import { checkFields } from '../options/check-fields.ts'
import { limitAdvice, limitRules } from './check-options.ts'

const checkLimits = (limits: unknown): void => checkFields('limits', limits, limitRules)

test('the default limits are valid, and every one has a rule', () => {
  checkLimits(defaultLimits)
  checkLimits({})
  expect(Object.keys(limitRules)).toEqual(Object.keys(defaultLimits))
})

const keys = Object.keys(limitRules) as (keyof Limits)[]

test.each(keys)('%s may be infinite, but not negative, NaN, null or a string', (key) => {
  checkLimits({ [key]: Infinity })
  for (const value of [-1, NaN, null, '10', -Infinity, true])
    expect(() => checkLimits({ [key]: value })).toThrow(`${key} must be a `)
})

test('limits may be 0 only if they limit something optional', () => {
  const accepted = keys.filter((key) => {
    try {
      checkLimits({ [key]: 0 })
      return true
    } catch {
      return false
    }
  })
  expect(accepted).toEqual(['maxToolCalls', 'maxEmpty', 'maxRetries'])
})

test('a limit may be undefined only if it may be absent', () => {
  for (const key of keys) {
    const check = () => checkLimits({ [key]: undefined })
    if (defaultLimits[key] === undefined) check()
    else expect(check).toThrow(`${key} must be a `)
  }
})

test('requires whole numbers for counts, but not for times and costs', () => {
  expect(() => checkLimits({ maxIterations: 2.5 })).toThrow(
    'maxIterations must be a positive whole number, not 2.5.',
  )
  checkLimits({ toolTimeout: 0.5, maxCost: 0.01 })
})

test('checks names', () => {
  expect(() => checkLimits({ maxTurns: 3 })).toThrow('Unknown key "maxTurns" in limits.')
  expect(() => checkLimits({ maxIteration: 3 })).toThrow('Did you mean maxIterations?')
  expect(() => checkLimits(25)).toThrow('limits must be an object, not 25.')
  expect(limitAdvice['maxIterations']).toBe('Put it in limits: { maxIterations: … }.')
})
