import { describe, expect, test } from 'vitest'
import { memoryJournal } from '../journal/memory-journal.ts'
import { scriptedModel } from '../model/scripted-model.ts'
import { checkFields, type FieldOptions } from './check-fields.ts'
import * as rules from './rule.ts'

const fields = {
  model: rules.required(rules.modelRule),
  maxIterations: rules.defined(rules.positiveInteger),
  temperature: rules.finiteNumber,
  onWait: rules.oneOf('wait', 'suspend'),
  limits: rules.objectRule({ maxRetries: rules.wholeNumber }),
}
const model = scriptedModel([])

function problemWith(given: unknown, options?: FieldOptions): string | undefined {
  try {
    checkFields('the options', given, fields, options)
    return undefined
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError)
    return (error as Error).message
  }
}

test('an object that follows the rules is accepted, even with undefined optional fields', () => {
  expect(problemWith({ model })).toBe(undefined)
  expect(problemWith({ model, temperature: undefined, limits: undefined })).toBe(undefined)
  expect(problemWith({ model, temperature: -0.5, onWait: 'wait', limits: {} })).toBe(undefined)
  // A class instance may inherit its members.
  expect(problemWith(Object.create({ model }))).toBe(undefined)
})

test.each([
  [undefined, 'The options must be an object, not undefined.'],
  [[model], 'The options must be an object, not a list of 1.'],
  ['go', 'The options must be an object, not "go".'],
  [{}, 'model must be a model: an object with a name and reply(), not undefined.'],
  [{ model: 'qwen3' }, 'must be a model: an object with a name and reply(), not "qwen3".'],
  [{ model, maxIterations: -1 }, 'maxIterations must be a positive whole number, not -1.'],
  [{ model, maxIterations: undefined }, 'must be a positive whole number, not undefined.'],
  [{ model, temperature: null }, 'temperature must be a number, not null.'],
  [{ model, temperature: NaN }, 'temperature must be a number, not NaN.'],
  [{ model, onWait: 'stop' }, 'onWait must be "wait" or "suspend", not "stop".'],
  [{ model, limits: 3 }, 'limits must be an object, not 3.'],
  [{ model, limits: { maxRetries: 0.5 } }, 'maxRetries must be a whole number, 0 or more'],
  [{ model, limits: { maxRetry: 1 } }, 'Unknown key "maxRetry" in limits. Did you mean maxRetries'],
  // The misspelled key explains why another key is missing.
  [{ modle: model }, 'Unknown key "modle" in the options. Did you mean model?'],
  [{ model, xyzzy: 1 }, 'Known keys: model, maxIterations, temperature, onWait, limits.'],
  [JSON.parse('{"__proto__": 1}'), 'Unknown key "__proto__" in the options.'],
  [{ model, toString: 1 }, 'Unknown key "toString" in the options.'],
  [{ model, ['x'.repeat(5000)]: 1 }, `"${'x'.repeat(60)}"… (5000 characters)`],
])('%j is rejected', (given, message) => {
  expect(problemWith(given)).toContain(message)
})

test('advice for a misplaced key is also given for its misspelling', () => {
  const advice = { maxRetries: 'Put it in limits.' }
  expect(problemWith({ model, maxRetries: 1 }, { advice })).toBe(
    'Unknown key "maxRetries" in the options. Put it in limits.',
  )
  expect(problemWith({ model, maxRetrys: 1 }, { advice })).toBe(
    'Unknown key "maxRetrys" in the options. Did you mean maxRetries? Put it in limits.',
  )
})

test('an open object may have other keys, except near misses of known ones', () => {
  const open = (given: object) => problemWith({ model, ...given }, { open: true })
  for (const key of ['label', 'module', 'limit_of_all', 'on', 'x'.repeat(100_000)])
    expect(open({ [key]: 1 })).toBe(undefined)
  for (const key of [
    'Model',
    'models',
    'max_iterations',
    'onwait',
    'on-wait',
    'limit',
    'temprature',
  ])
    expect(open({ [key]: 1 })).toContain('Did you mean')
  expect(open({ temperature: 'hot' })).toBe(
    'temperature of the options must be a number, not "hot".',
  )
})

describe('rules', () => {
  const yes = () => true
  const { signal } = new AbortController()
  test.each<[keyof typeof rules, rules.Rule, unknown[], unknown[]]>([
    ['flag', rules.flag, [true, false], [0, 'false', null]],
    ['text', rules.text, ['', 'a'], [1, null, ['a']]],
    ['functionRule', rules.functionRule, [yes, class {}], ['yes', {}]],
    ['wholeNumber', rules.wholeNumber, [0, 7], [-1, 0.5, Infinity, '1', 2 ** 60]],
    ['positiveNumber', rules.positiveNumber, [0.1, 3], [0, -1, NaN, Infinity, '1']],
    ['milliseconds', rules.milliseconds, [0.5, 100], [0, -1, Infinity, '5s']],
    ['delayRule', rules.delayRule, [0, 1.5], [-1, NaN, Infinity, '5s']],
    ['orInfinity', rules.orInfinity(rules.milliseconds), [1, Infinity], [0, -Infinity, NaN]],
    ['orFlag', rules.orFlag(rules.objectRule()), [true, false, {}], ['yes', [], 1]],
    ['listOf', rules.listOf(rules.text, 'names'), [[], ['a']], ['a', [1], { 0: 'a' }, new Set()]],
    ['objectOf', rules.objectOf(rules.flag, 'flags'), [{}, { a: true }], [[], { a: 1 }, null]],
    ['signalRule', rules.signalRule, [signal, AbortSignal.abort()], [{}, new AbortController()]],
    ['modelRule', rules.modelRule, [model, { name: '', reply: yes }], [{ reply: yes }, yes]],
    ['journalRule', rules.journalRule, [memoryJournal()], [{}, new Map(), 'runs.db']],
  ])('%s', (_, { test: isRight }, right, wrong) => {
    for (const value of right) expect([value, isRight(value)]).toEqual([value, true])
    for (const value of wrong) expect([value, isRight(value)]).toEqual([value, false])
  })

  test('describe valid values', () => {
    expect(rules.oneOf('a').expected).toBe('"a"')
    expect(rules.oneOf('a', 'b', 'c').expected).toBe('"a", "b" or "c"')
    expect(rules.orFlag(rules.objectRule()).expected).toBe('true, false or an object')
  })
})
