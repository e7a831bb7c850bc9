import type { Question } from '@toolglot/agent'
import { expect, test } from 'vitest'
import {
  answersOf,
  choose,
  chooseByDigit,
  isAnswered,
  noAnswers,
  NOTHING_SELECTED,
  OTHER,
} from './ask-state.ts'

const option = (label: string) => ({ label, description: '' })
const one: Question = {
  question: 'Which?',
  header: 'Which',
  options: [option('A'), option('B')],
}
const several: Question = { ...one, question: 'Which ones?', multiSelect: true }

test('with a single choice, the last one counts', () => {
  const first = choose(one, NOTHING_SELECTED, 'A')
  expect(answersOf([one], [first])).toEqual({ 'Which?': 'A' })
  const second = choose(one, first, 'B')
  expect(answersOf([one], [second])).toEqual({ 'Which?': 'B' })
  expect(choose(one, second, OTHER)).toEqual({ labels: [], hasOther: true, other: '' })
})

test('with several choices, selecting again deselects, and options keep their order', () => {
  const both = choose(several, choose(several, NOTHING_SELECTED, 'B'), 'A')
  expect(answersOf([several], [both])).toEqual({ 'Which ones?': ['A', 'B'] })
  expect(answersOf([several], [choose(several, both, 'B')])).toEqual({ 'Which ones?': ['A'] })
  expect(answersOf([several], [{ ...both, hasOther: true, other: ' c ' }])).toEqual({
    'Which ones?': ['A', 'B', 'c'],
  })
})

test('a custom answer counts only if it is not empty', () => {
  const other = { labels: [], hasOther: true, other: ' ' }
  expect(isAnswered(other)).toBe(false)
  expect(answersOf([one], [other])).toBeUndefined()
  expect(answersOf([one], [{ ...other, other: ' tea ' }])).toEqual({ 'Which?': 'tea' })
})

test('digits select the options in order, then the custom answer', () => {
  expect(chooseByDigit(one, NOTHING_SELECTED, 2)?.labels).toEqual(['B'])
  expect(chooseByDigit(one, NOTHING_SELECTED, 3)?.hasOther).toBe(true)
  expect(chooseByDigit(one, NOTHING_SELECTED, 4)).toBeUndefined()
  expect(chooseByDigit(one, NOTHING_SELECTED, 0)).toBeUndefined()
})

test('answers all questions at once', () => {
  const chosen = choose(one, NOTHING_SELECTED, 'A')
  expect(answersOf([one, several], [chosen, NOTHING_SELECTED])).toBeUndefined()
  expect(answersOf([one, several], [chosen])).toBeUndefined()
})

test('accepts any text as a question', () => {
  const odd = { ...one, question: '__proto__' }
  const answers = answersOf([odd], [choose(odd, NOTHING_SELECTED, 'A')])
  expect(JSON.stringify(answers)).toBe('{"__proto__":"A"}')
  expect(JSON.stringify(noAnswers([odd]))).toBe('{"__proto__":""}')
})
