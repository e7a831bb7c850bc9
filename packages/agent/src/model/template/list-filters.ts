import {
  isEqual,
  order,
  argument,
  type Arguments,
  isTruthy,
  itemsOf,
  makeTuple,
  Namespace,
  textOf,
  type Value,
  wholeNumber,
} from './value.ts'
import type { Filter, FilterContext } from './filters.ts'
import { itemOf } from './member.ts'
import { operate } from './operators.ts'
import { TemplateError } from './template-error.ts'

/** The filters that work on lists. */
export const listFilters: readonly (readonly [string, Filter])[] = [
  ['list', (value) => [...itemsOf(value)]],
  ['first', (value) => itemsOf(value)[0]],
  ['last', (value) => itemsOf(value).at(-1)],
  ['reverse', reverse],
  ['sort', sort],
  ['unique', unique],
  ['min', (value, given, context) => extreme(value, given, context, -1)],
  ['max', (value, given, context) => extreme(value, given, context, 1)],
  ['sum', sum],
  ['map', map],
  ['select', (value, given, context) => select(value, given, context, true)],
  ['reject', (value, given, context) => select(value, given, context, false)],
  ['selectattr', (value, given, context) => selectAttribute(value, given, context, true)],
  ['rejectattr', (value, given, context) => selectAttribute(value, given, context, false)],
  ['groupby', groupBy],
  ['batch', batch],
]

function reverse(value: Value): Value {
  return typeof value === 'string'
    ? Array.from(value).reverse().join('')
    : [...itemsOf(value)].reverse()
}

function sort(value: Value, given: Arguments, context: FilterContext): Value {
  const direction = isTruthy(argument(given, 0, 'reverse')) ? -1 : 1
  const key = keyFunction(
    argument(given, 2, 'attribute'),
    argument(given, 1, 'case_sensitive'),
    context,
  )
  return itemsOf(value)
    .map((item) => ({ item, key: key(item) }))
    .sort((a, b) => direction * order(a.key, b.key, context.budget))
    .map(({ item }) => item)
}

function unique(value: Value, given: Arguments, context: FilterContext): Value {
  const key = keyFunction(
    argument(given, 1, 'attribute'),
    argument(given, 0, 'case_sensitive'),
    context,
  )
  const seen: Value[] = []
  return itemsOf(value).filter((item) => {
    const found = key(item)
    context.budget.items(seen.length)
    if (seen.some((each) => isEqual(each, found, context.budget))) return false
    seen.push(found)
    return true
  })
}

function extreme(value: Value, given: Arguments, context: FilterContext, sign: number): Value {
  const key = keyFunction(
    argument(given, 1, 'attribute'),
    argument(given, 0, 'case_sensitive'),
    context,
  )
  const [first, ...rest] = itemsOf(value)
  return rest.reduce<Value>(
    (best, item) => (sign * order(key(item), key(best), context.budget) > 0 ? item : best),
    first,
  )
}

function sum(value: Value, given: Arguments, context: FilterContext): Value {
  const name = argument(given, 0, 'attribute')
  const items = itemsOf(value).map((item) =>
    name === undefined ? item : path(item, name, context),
  )
  const start = argument(given, 1, 'start') ?? 0
  return items.reduce((total, item) => operate('+', total, item, context.budget), start)
}

function map(value: Value, given: Arguments, context: FilterContext): Value {
  const items = itemsOf(value)
  context.budget.items(items.length)
  const name = given.named.get('attribute')
  if (name !== undefined) {
    const otherwise = given.named.get('default')
    return items.map((item) => path(item, name, context) ?? otherwise)
  }
  const [filter, ...positional] = given.positional
  const rest = { positional, named: given.named }
  return items.map((item) => context.filter(textOf(filter, 'a filter'), item, rest))
}

function select(
  value: Value,
  { positional: [test, ...others] }: Arguments,
  context: FilterContext,
  wanted: boolean,
): Value {
  return itemsOf(value).filter((item) => {
    context.budget.step()
    return wanted === holds(item, test, others, context)
  })
}

function selectAttribute(
  value: Value,
  { positional: [name, test, ...others] }: Arguments,
  context: FilterContext,
  wanted: boolean,
): Value {
  return itemsOf(value).filter((item) => {
    context.budget.step()
    return wanted === holds(path(item, name, context), test, others, context)
  })
}

function holds(
  value: Value,
  test: Value,
  others: readonly Value[],
  context: FilterContext,
): boolean {
  return test === undefined ? isTruthy(value) : context.test(textOf(test, 'a test'), value, others)
}

function groupBy(value: Value, given: Arguments, context: FilterContext): Value {
  const name = argument(given, 0, 'attribute')
  const sorted = sort(value, { positional: [], named: new Map([['attribute', name]]) }, context)
  const groups: Namespace[] = []
  let last: { key: Value; items: Value[] } | undefined
  for (const item of itemsOf(sorted)) {
    const key = path(item, name, context)
    if (last && isEqual(last.key, key, context.budget)) last.items.push(item)
    else {
      last = { key, items: [item] }
      groups.push(
        new Namespace([
          ['grouper', key],
          ['list', last.items],
        ]),
      )
    }
  }
  return groups.map((group) => makeTuple([group.fields.get('grouper'), group.fields.get('list')]))
}

function batch(value: Value, given: Arguments): Value {
  const size = wholeNumber(argument(given, 0, 'linecount'), 'a size')
  if (size < 1) throw new TemplateError('a size must be at least 1')
  const items = itemsOf(value)
  const rows: Value[] = []
  for (let index = 0; index < items.length; index += size)
    rows.push(items.slice(index, index + size))
  return rows
}

function keyFunction(
  name: Value,
  isCaseSensitive: Value,
  context: FilterContext,
): (item: Value) => Value {
  return (item) => {
    const value = name === undefined || name === null ? item : path(item, name, context)
    return typeof value === 'string' && !isTruthy(isCaseSensitive) ? value.toLowerCase() : value
  }
}

/** The value at `name` or at a path such as `function.name`. */
function path(item: Value, name: Value, { budget }: FilterContext): Value {
  if (typeof name !== 'string') return itemOf(item, name, budget)
  return name.split('.').reduce<Value>((value, part) => {
    budget.step()
    return value === undefined ? undefined : itemOf(value, part, budget)
  }, item)
}
