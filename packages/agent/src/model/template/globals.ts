import type { Budget } from './budget.ts'
import { printValue } from './print.ts'
import { strftime } from './strftime.ts'
import { TemplateError, TemplateRefusal } from './template-error.ts'
import {
  type Arguments,
  Callable,
  isTruthy,
  itemsOf,
  keyOf,
  Namespace,
  type Value,
  wholeNumber,
} from './value.ts'

/** The functions that every template can call, and its constants. */
export function createGlobals(budget: Budget, date: Date): Map<string, Value> {
  const functions: Readonly<Record<string, (given: Arguments) => Value>> = {
    namespace: ({ positional: [from], named }) =>
      new Namespace([...(from instanceof Map ? textEntries(from) : []), ...named]),
    dict: ({ positional: [from], named }) =>
      new Map([...(from === undefined ? [] : pairs(from)), ...named]),
    range: (given) => range(given, budget),
    raise_exception: ({ positional: [message] }) => {
      throw new TemplateRefusal(printValue(message, budget))
    },
    strftime_now: ({ positional: [format] }) => strftime(printValue(format, budget), date),
    joiner: ({ positional: [separator = ', '] }) => {
      let isFirst = true
      return new Callable('joiner', () => {
        if (!isFirst) return separator
        isFirst = false
        return ''
      })
    },
    cycler: ({ positional }) => cycler(positional),
  }
  const constants: readonly (readonly [string, Value])[] = [
    ['true', true],
    ['True', true],
    ['false', false],
    ['False', false],
    ['none', null],
    ['None', null],
  ]
  return new Map([
    ...constants,
    ...Object.entries(functions).map(([name, call]) => [name, new Callable(name, call)] as const),
  ])
}

function textEntries(map: ReadonlyMap<unknown, Value>): (readonly [string, Value])[] {
  return Array.from(map, ([key, value]) => [String(key), value] as const)
}

function pairs(value: Value): (readonly [ReturnType<typeof keyOf>, Value])[] {
  if (value instanceof Map) return [...value]
  return itemsOf(value).map((pair) => {
    const [key, item] = itemsOf(pair)
    return [keyOf(key), item] as const
  })
}

function range({ positional }: Arguments, budget: Budget): Value {
  const numbers = positional.map((each) => wholeNumber(each, 'a bound of range()'))
  const [first = 0, second, step = 1] = numbers
  const [start, stop] = second === undefined ? [0, first] : [first, second]
  if (step === 0) throw new TemplateError('the step of range() must not be 0')
  const count = Math.max(0, Math.ceil((stop - start) / step))
  if (!(count <= MAX_RANGE)) throw new TemplateError(`range() has more than ${MAX_RANGE} numbers`)
  budget.items(count)
  return Array.from({ length: count }, (_, index) => start + index * step)
}

/** Python's Jinja has the same limit in its sandbox. */
const MAX_RANGE = 100_000

function cycler(items: readonly Value[]): Namespace {
  let position = 0
  const cycle = new Namespace([])
  const update = (): Value => {
    const current = items[position % items.length]
    cycle.fields.set('current', current)
    return current
  }
  cycle.fields.set(
    'next',
    new Callable('next', () => {
      const current = update()
      position += 1
      update()
      return current
    }),
  )
  cycle.fields.set(
    'reset',
    new Callable('reset', () => {
      position = 0
      update()
      return null
    }),
  )
  if (isTruthy(items.length)) update()
  return cycle
}
