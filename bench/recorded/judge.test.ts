import { expect, test } from 'vitest'
import { best, judge, type Reading, type Verdict } from './judge.mjs'

const ping = { name: 'ping', arguments: { n: 1, deep: { a: [1, 2], b: null } } }
const read = (calls: Reading['calls'], text = ''): { whole: Reading; characters: Reading } => ({
  whole: { calls, text },
  characters: { calls, text },
})

test('a correct reading is correct in every part', () => {
  const expected = { calls: [ping], content: 'Look: \n done' }
  expect(judge(expected, read([structuredClone(ping)], ' Look:\n\ndone\n'))).toEqual({
    calls: true,
    streamed: true,
    text: true,
    same: true,
    invented: undefined,
  })
})

test.each([
  ['no call', []],
  ['an extra call', [ping, ping]],
  ['another name', [{ ...ping, name: 'pong' }]],
  ['a missing argument', [{ ...ping, arguments: { n: 1 } }]],
  ['an extra argument', [{ ...ping, arguments: { ...ping.arguments, m: 1 } }]],
  ['a number as text', [{ ...ping, arguments: { ...ping.arguments, n: '1' } }]],
])('%s is wrong', (_, calls) => {
  expect(judge({ calls: [ping] }, read(calls)).calls).toBe(false)
})

test('the order of calls matters, but not that of arguments', () => {
  const pong = { name: 'pong', arguments: {} }
  expect(judge({ calls: [ping, pong] }, read([pong, ping])).calls).toBe(false)
  const turned = { name: 'ping', arguments: { deep: { b: null, a: [1, 2] }, n: 1 } }
  expect(judge({ calls: [ping] }, read([turned])).calls).toBe(true)
})

test('a null name matches any name', () => {
  expect(judge({ calls: [{ ...ping, name: null }] }, read([ping])).calls).toBe(true)
})

test('additional arguments are allowed at any depth if only some are expected', () => {
  const expected = { argumentsSubset: true, calls: [{ ...ping, arguments: { deep: { b: null } } }] }
  expect(judge(expected, read([ping])).calls).toBe(true)
  const other = { ...ping, arguments: { deep: { a: [1, 2] } } }
  expect(judge(expected, read([other])).calls).toBe(false)
  expect(judge(expected, read([{ ...ping, arguments: { deep: null } }])).calls).toBe(false)
})

test('does not count a differing stream as the same', () => {
  const { whole } = read([ping], 'a')
  const expected = { calls: [ping], content: 'a' }
  const otherText = { calls: [ping], text: 'b' }
  expect(judge(expected, { whole, characters: otherText })).toMatchObject({
    streamed: true,
    same: false,
  })
  const noCall = { calls: [], text: 'a' }
  expect(judge(expected, { whole, characters: noCall })).toMatchObject({
    calls: true,
    streamed: false,
    same: false,
  })
})

test('counts a call as invented if the reply has no calls', () => {
  expect(judge({ calls: [] }, read([ping]))).toMatchObject({ calls: false, invented: true })
  expect(judge({ calls: [] }, read([]))).toMatchObject({ calls: true, invented: false })
})

test('counts a missing result as wrong, even if there is nothing to find', () => {
  const none = { whole: undefined, characters: undefined }
  expect(judge({ calls: [], content: '' }, none)).toEqual({
    calls: false,
    streamed: false,
    text: false,
    same: false,
    invented: false,
  })
})

test('the best of several has the best calls', () => {
  const wrong: Verdict = { calls: false, streamed: true, text: true, same: true, invented: false }
  const right: Verdict = { calls: true, streamed: false, text: false, same: false, invented: false }
  expect(best([wrong, right])).toBe(right)
  expect(best([right, { ...right, same: true }]).same).toBe(true)
  expect(() => best([])).toThrow(TypeError)
})
