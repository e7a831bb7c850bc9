import type { Budget } from './budget.ts'
import {
  contains,
  isEqual,
  order,
  asNumber,
  isFloat,
  makeFloat,
  makeTuple,
  Tuple,
  typeName,
  type Value,
  wholeNumber,
} from './value.ts'
import { formatPercent } from './format.ts'
import { charactersOf } from './member.ts'
import { printValue } from './print.ts'
import { TemplateError } from './template-error.ts'

/** The value of `left operator right`, for all operators except `and` and `or`. */
export function operate(operator: string, left: Value, right: Value, budget: Budget): Value {
  switch (operator) {
    case '==':
      return isEqual(left, right, budget)
    case '!=':
      return !isEqual(left, right, budget)
    case 'in':
      return contains(right, left, budget)
    case 'not in':
      return !contains(right, left, budget)
    case '<':
      return order(left, right, budget) < 0
    case '>':
      return order(left, right, budget) > 0
    case '<=':
      return order(left, right, budget) <= 0
    case '>=':
      return order(left, right, budget) >= 0
    case '~':
      return concatenate(printValue(left, budget), printValue(right, budget), budget)
    default:
      return calculate(operator, left, right, budget)
  }
}

function calculate(operator: string, left: Value, right: Value, budget: Budget): Value {
  const a = asNumber(left)
  const b = asNumber(right)
  if (a !== undefined && b !== undefined) {
    const result = arithmetic(operator, a, b)
    const makesFloat = operator === '/' || isFloat(left) || isFloat(right)
    return makesFloat || !Number.isInteger(result) ? makeFloat(result) : result
  }
  if (operator === '+') {
    // Python rejects this, but llama.cpp does not: a missing optional variable should not be an
    // error.
    if (left === undefined && typeof right === 'string') return right
    if (right === undefined && typeof left === 'string') return left
    if (typeof left === 'string' && typeof right === 'string')
      return concatenate(left, right, budget)
    if (Array.isArray(left) && Array.isArray(right)) {
      budget.items(left.length + right.length)
      const items = [...left, ...right]
      return left instanceof Tuple ? makeTuple(items) : items
    }
  }
  if (operator === '*') {
    if (b !== undefined) return repeat(left, b, budget)
    if (a !== undefined) return repeat(right, a, budget)
  }
  if (operator === '%' && typeof left === 'string') return formatPercent(left, right, budget)
  throw new TemplateError(
    `'${operator}' does not work with ${typeName(left)} and ${typeName(right)}`,
  )
}

function arithmetic(operator: string, a: number, b: number): number {
  if (b === 0 && (operator === '/' || operator === '//' || operator === '%'))
    throw new TemplateError('it divides by zero')
  switch (operator) {
    case '+':
      return a + b
    case '-':
      return a - b
    case '*':
      return a * b
    case '/':
      return a / b
    case '//':
      return Math.floor(a / b)
    case '%':
      return a - b * Math.floor(a / b)
    case '**':
      return finite(a ** b)
    default:
      throw new TemplateError(`it has the unknown operator '${operator}'`)
  }
}

function finite(value: number): number {
  if (!Number.isFinite(value)) throw new TemplateError('a power is too large')
  return value
}

function concatenate(left: string, right: string, budget: Budget): string {
  budget.fits(left.length + right.length)
  budget.spend(Math.min(left.length, right.length) + 1)
  return left + right
}

function repeat(value: Value, times: number, budget: Budget): Value {
  const count = Math.max(0, times)
  if (typeof value === 'string') {
    budget.text(value.length * count)
    return value.repeat(count)
  }
  if (!Array.isArray(value)) throw new TemplateError(`${typeName(value)} cannot be repeated`)
  budget.items(value.length * count)
  return Array.from({ length: value.length * count }, (_, index) => value[index % value.length])
}

/** The value of `value[start:stop:step]`. */
export function slice(
  value: Value,
  bounds: { readonly start: Value; readonly stop: Value; readonly step: Value },
  budget: Budget,
): Value {
  if (value === undefined) return undefined
  if (typeof value !== 'string' && !Array.isArray(value))
    throw new TemplateError(`${typeName(value)} cannot be sliced`)
  const items = typeof value === 'string' ? charactersOf(value, budget) : []
  const length = typeof value === 'string' ? items.length : value.length
  const step = boundOf(bounds.step) ?? 1
  if (step === 0) throw new TemplateError('the step of a slice must not be 0')
  const low = step > 0 ? 0 : -1
  const high = step > 0 ? length : length - 1
  const place = (bound: number | undefined, otherwise: number): number => {
    if (bound === undefined) return otherwise
    return bound < 0 ? Math.max(length + bound, low) : Math.min(bound, high)
  }
  const start = place(boundOf(bounds.start), step > 0 ? low : high)
  const stop = place(boundOf(bounds.stop), step > 0 ? high : low)
  if (typeof value === 'string' && step === 1) budget.spend(length)
  else budget.items(Math.abs(stop - start) + 1)
  if (typeof items === 'string' && step === 1) return items.slice(start, Math.max(start, stop))
  const places: number[] = []
  for (let at = start; step > 0 ? at < stop : at > stop; at += step) places.push(at)
  if (typeof value === 'string') return places.map((at) => items[at]).join('')
  const chosen = places.map((at) => value[at])
  return value instanceof Tuple ? makeTuple(chosen) : chosen
}

function boundOf(value: Value): number | undefined {
  return value === undefined || value === null
    ? undefined
    : wholeNumber(value, 'a bound of a slice')
}
