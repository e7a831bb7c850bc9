import type { Budget } from './budget.ts'
import { printValue } from './print.ts'
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

/** The functions and constants available to every template. */
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

/** The limit of Python's Jinja sandbox. */
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

const MAX_FORMAT = 200

/**
 * Formats a date like Python's `strftime`, with a format such as `%d %b %Y`, in English and local
 * time.
 */
export function strftime(format: string, date: Date): string {
  if (format.length > MAX_FORMAT)
    throw new TemplateError(`a date has a format of more than ${MAX_FORMAT} characters`)
  return format.replaceAll(/%([-#]?)([a-zA-Z%])/g, (whole, mark: string, letter: string) => {
    const part = parts[letter]?.(date)
    if (part === undefined) return whole
    return mark === '' ? part : part.replace(/^0+(?=\d)/, '')
  })
}

const MONTHS =
  'January February March April May June July August September October November December'.split(' ')
const DAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')

const two = (value: number): string => String(value).padStart(2, '0')
const month = (date: Date): string => MONTHS[date.getMonth()]!
const day = (date: Date): string => DAYS[date.getDay()]!

const parts: Readonly<Record<string, (date: Date) => string>> = {
  Y: (date) => String(date.getFullYear()),
  y: (date) => two(date.getFullYear() % 100),
  m: (date) => two(date.getMonth() + 1),
  d: (date) => two(date.getDate()),
  e: (date) => String(date.getDate()).padStart(2),
  B: month,
  b: (date) => month(date).slice(0, 3),
  h: (date) => month(date).slice(0, 3),
  A: day,
  a: (date) => day(date).slice(0, 3),
  H: (date) => two(date.getHours()),
  I: (date) => two(date.getHours() % 12 || 12),
  M: (date) => two(date.getMinutes()),
  S: (date) => two(date.getSeconds()),
  f: (date) => `${String(date.getMilliseconds()).padStart(3, '0')}000`,
  p: (date) => (date.getHours() < 12 ? 'AM' : 'PM'),
  j: (date) => String(dayOfYear(date)).padStart(3, '0'),
  w: (date) => String(date.getDay()),
  u: (date) => String(date.getDay() || 7),
  F: (date) => `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`,
  T: (date) => [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':'),
  D: (date) => [date.getMonth() + 1, date.getDate(), date.getFullYear() % 100].map(two).join('/'),
  R: (date) => [date.getHours(), date.getMinutes()].map(two).join(':'),
  Z: () => '',
  z: () => '',
  '%': () => '%',
}

function dayOfYear(date: Date): number {
  const start = Date.UTC(date.getFullYear(), 0, 1)
  const now = Date.UTC(date.getFullYear(), date.getMonth(), date.getDate())
  return Math.round((now - start) / 86_400_000) + 1
}
