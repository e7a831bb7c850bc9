import { describe, expect, test } from 'vitest'
import { asJson, callOf, fromJson, mainArgument } from './explain-call.tsx'

const text = { type: 'string' }

describe('mainArgument', () => {
  test.each([
    ['the first that is needed', { properties: { a: text, b: text }, required: ['b'] }, 'b'],
    ['the first text', { properties: { n: { type: 'number' }, a: text } }, 'a'],
    ['none', { properties: { n: { type: 'number' } }, required: ['n'] }, undefined],
    ['a needed one of another type', { properties: { n: {}, a: text }, required: ['n'] }, 'a'],
    ['no schema', undefined, undefined],
  ])('%s', (_, parameters, name) => {
    expect(mainArgument({ name: 'x', parameters })).toBe(name)
  })
})

test('sends JSON as typed, so that duplicate keys are reported', () => {
  expect(callOf(undefined, '{"a": 1, "a": 2}')).toEqual({ argumentsText: '{"a": 1, "a": 2}' })
  expect(callOf(undefined, ' ')).toEqual({ argumentsText: '{}' })
  for (const typed of ['{', '[]', 'null', '"x"']) expect(callOf(undefined, typed)).toBeUndefined()
  expect(callOf('command', 'ls "x"')).toEqual({ arguments: { command: 'ls "x"' } })
})

test('switching between text and JSON keeps the typed text', () => {
  expect(fromJson('command', asJson('command', 'echo "a\n"'))).toBe('echo "a\n"')
  expect(fromJson('command', '{"command": 1}')).toBe('')
  expect(fromJson('command', 'null')).toBe('')
  expect(fromJson('command', '{')).toBe('')
})
