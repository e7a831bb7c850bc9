import type { Budget } from './budget.ts'
import { contains, isEqual, order } from './compare.ts'
import { asNumber, Callable, isFloat, type Value, wholeNumber } from './value.ts'

type Test = (value: Value, others: readonly Value[], budget: Budget) => boolean

const equal: Test = (value, [other], budget) => isEqual(value, other, budget)
const greater: Test = (value, [other], budget) => order(value, other, budget) > 0
const less: Test = (value, [other], budget) => order(value, other, budget) < 0
const isNumber: Test = (value) => asNumber(value) !== undefined

/** The tests of `is`. */
export const tests: ReadonlyMap<string, Test> = new Map<string, Test>([
  ['defined', (value) => value !== undefined],
  ['undefined', (value) => value === undefined],
  ['none', (value) => value === null],
  ['boolean', (value) => typeof value === 'boolean'],
  ['true', (value) => value === true],
  ['false', (value) => value === false],
  ['string', (value) => typeof value === 'string'],
  ['number', isNumber],
  ['integer', (value) => typeof value === 'number' && !isFloat(value)],
  ['float', (value) => isFloat(value)],
  ['mapping', (value) => value instanceof Map],
  ['iterable', (value) => isIterable(value)],
  ['sequence', (value) => isIterable(value)],
  ['callable', (value) => value instanceof Callable],
  ['odd', (value) => Math.abs(wholeNumber(value, 'it') % 2) === 1],
  ['even', (value) => wholeNumber(value, 'it') % 2 === 0],
  [
    'divisibleby',
    (value, [other]) => wholeNumber(value, 'it') % wholeNumber(other, 'the divisor') === 0,
  ],
  ['lower', (value) => typeof value === 'string' && hasCase(value, value.toLowerCase())],
  ['upper', (value) => typeof value === 'string' && hasCase(value, value.toUpperCase())],
  ['in', (value, [other], budget) => contains(other, value, budget)],
  ['sameas', (value, [other]) => value === other],
  ['escaped', () => false],
  ['filter', () => true],
  ...['eq', 'equalto', '=='].map((name) => [name, equal] as const),
  ['ne', (...all) => !equal(...all)],
  ['!=', (...all) => !equal(...all)],
  ...['gt', 'greaterthan', '>'].map((name) => [name, greater] as const),
  ...['lt', 'lessthan', '<'].map((name) => [name, less] as const),
  ['ge', (...all) => !less(...all)],
  ['>=', (...all) => !less(...all)],
  ['le', (...all) => !greater(...all)],
  ['<=', (...all) => !greater(...all)],
])

function isIterable(value: Value): boolean {
  if (value instanceof Map) return true
  // Undefined is an empty sequence in Jinja.
  return value === undefined || typeof value === 'string' || Array.isArray(value)
}

function hasCase(text: string, changed: string): boolean {
  return text === changed && text.toLowerCase() !== text.toUpperCase()
}
