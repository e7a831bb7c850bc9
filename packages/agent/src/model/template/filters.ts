import type { Budget } from './budget.ts'
import {
  isEqual,
  order,
  argument,
  type Arguments,
  asNumber,
  isTruthy,
  itemsOf,
  makeFloat,
  makeTuple,
  Namespace,
  sizeOf,
  textOf,
  typeName,
  type Value,
  wholeNumber,
} from './value.ts'
import { listFilters } from './list-filters.ts'
import { formatPercent } from './format.ts'
import { charactersOf } from './member.ts'
import { printLiteral, printValue, toJson } from './print.ts'
import { splitWords, strip } from './space.ts'
import { capitalize, center, join, replaceText, titleCase } from './string-methods.ts'
import { TemplateError } from './template-error.ts'

/** The context of a filter. */
export interface FilterContext {
  readonly budget: Budget
  /** Applies the filter with this name. */
  filter(name: string, value: Value, given: Arguments): Value
  /** Applies the test with this name. */
  test(name: string, value: Value, others: readonly Value[]): boolean
}

export type Filter = (value: Value, given: Arguments, context: FilterContext) => Value

/** Creates a filter that transforms a string. The result may be longer by at most this factor. */
const text =
  (change: (text: string) => string, factor: number): Filter =>
  (value, _given, { budget }) => {
    const given = printValue(value, budget)
    budget.text(factor * given.length)
    return change(given)
  }

const length: Filter = (value, _given, { budget }) => {
  if (typeof value === 'string') return charactersOf(value, budget).length
  if (value instanceof Map) return value.size
  if (value instanceof Namespace) return value.fields.size
  return itemsOf(value).length
}

const fallback: Filter = (value, given) => {
  const isMissing =
    value === undefined || (isTruthy(argument(given, 1, 'boolean')) && !isTruthy(value))
  return isMissing ? (argument(given, 0, 'default_value') ?? '') : value
}

/** The filters of Jinja used in chat templates. */
export const filters: ReadonlyMap<string, Filter> = new Map<string, Filter>([
  ...listFilters,
  ['tojson', (value, given, { budget }) => toJson(value, given, budget)],
  ['safe', (value) => value],
  ['string', (value, _given, { budget }) => printValue(value, budget)],
  ['pprint', (value, _given, { budget }) => printLiteral(value, budget)],
  ['length', length],
  ['count', length],
  ['default', fallback],
  ['d', fallback],
  ['upper', text((each) => each.toUpperCase(), 3)],
  ['lower', text((each) => each.toLowerCase(), 3)],
  ['capitalize', text(capitalize, 3)],
  ['title', text(titleCase, 3)],
  ['trim', trim],
  ['strip', trim],
  ['indent', indent],
  ['replace', replace],
  ['join', joinItems],
  ['int', toInteger],
  ['float', toFloat],
  ['abs', (value) => Math.abs(numberOf(value))],
  ['round', round],
  ['center', centered],
  ['truncate', truncate],
  ['wordcount', (value, _given, { budget }) => splitWords(printValue(value, budget), -1).length],
  ['format', formatted],
  ['escape', text(escape, 5)],
  ['e', text(escape, 5)],
  ['forceescape', text(escape, 5)],
  ['items', items],
  ['dictsort', sortDictionary],
  ['attr', (value, given) => attribute(value, given)],
  ['eq', (value, { positional: [other] }, { budget }) => isEqual(value, other, budget)],
])

function trim(value: Value, given: Arguments, { budget }: FilterContext): Value {
  const characters = argument(given, 0, 'chars')
  const known = typeof characters === 'string' ? characters : undefined
  return strip(printValue(value, budget), 'both', known)
}

function indent(value: Value, given: Arguments, { budget }: FilterContext): Value {
  const width = argument(given, 0, 'width') ?? 4
  if (typeof width !== 'string') budget.text(wholeNumber(width, 'a width'))
  const padding = typeof width === 'string' ? width : ' '.repeat(Math.max(0, Number(width)))
  const indentsFirst = isTruthy(argument(given, 1, 'first'))
  const indentsBlank = isTruthy(argument(given, 2, 'blank'))
  const lines = printValue(value, budget).split('\n')
  budget.text(lines.length * padding.length)
  return lines
    .map((line, index) => {
      if (index === 0) return indentsFirst ? padding + line : line
      return line === '' && !indentsBlank ? line : padding + line
    })
    .join('\n')
}

function replace(value: Value, given: Arguments, { budget }: FilterContext): Value {
  const from = printValue(argument(given, 0, 'old'), budget)
  const to = printValue(argument(given, 1, 'new'), budget)
  const max = argument(given, 2, 'count')
  const times = max === undefined || max === null ? -1 : wholeNumber(max, 'a count')
  return replaceText(printValue(value, budget), [from, to], times, budget)
}

function joinItems(value: Value, given: Arguments, context: FilterContext): Value {
  const name = argument(given, 1, 'attribute')
  const items =
    name === undefined
      ? itemsOf(value)
      : itemsOf(
          context.filter('map', value, { positional: [], named: new Map([['attribute', name]]) }),
        )
  const separator = argument(given, 0, 'd') ?? ''
  return join(items, printValue(separator, context.budget), context.budget)
}

function toInteger(value: Value, given: Arguments): Value {
  const otherwise = argument(given, 0, 'default') ?? 0
  const number = asNumber(value)
  if (number !== undefined) return Math.trunc(number)
  if (typeof value !== 'string' || value.length > 400) return otherwise
  const base = argument(given, 1, 'base') ?? 10
  if (base === 16 && /^\s*(?:0x)?[\da-f]+\s*$/i.test(value)) return Number.parseInt(value, 16)
  const parsed = /^\s*[+-]?[\d.]+(?:e[+-]?\d+)?\s*$/i.test(value) ? Number(value) : Number.NaN
  return Number.isFinite(parsed) ? Math.trunc(parsed) : otherwise
}

function toFloat(value: Value, given: Arguments): Value {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : asNumber(value)
  if (number !== undefined && Number.isFinite(number)) return makeFloat(number)
  return argument(given, 0, 'default') ?? makeFloat(0)
}

function round(value: Value, given: Arguments): Value {
  if (typeof value === 'number' && Number.isInteger(value)) return value
  const factor = 10 ** Math.min(20, Number(argument(given, 0, 'precision') ?? 0))
  const scaled = numberOf(value) * factor
  switch (argument(given, 1, 'method') ?? 'common') {
    case 'ceil':
      return makeFloat(Math.ceil(scaled) / factor)
    case 'floor':
      return makeFloat(Math.floor(scaled) / factor)
    default:
      return makeFloat(roundHalfEven(scaled) / factor)
  }
}

function roundHalfEven(value: number): number {
  const floor = Math.floor(value)
  if (value - floor !== 0.5) return Math.round(value)
  return floor % 2 === 0 ? floor : floor + 1
}

function centered(value: Value, given: Arguments, { budget }: FilterContext): Value {
  const width = wholeNumber(argument(given, 0, 'width') ?? 80, 'a width')
  budget.text(Math.max(0, width))
  return center(printValue(value, budget), width)
}

function truncate(value: Value, given: Arguments, { budget }: FilterContext): Value {
  const whole = printValue(value, budget)
  const max = wholeNumber(argument(given, 0, 'length') ?? 255, 'a length')
  const end = textOf(argument(given, 2, 'end') ?? '...', 'an end')
  const leeway = wholeNumber(argument(given, 3, 'leeway') ?? 5, 'a leeway')
  if (whole.length <= max + leeway) return whole
  const cut = whole.slice(0, Math.max(0, max - end.length))
  if (isTruthy(argument(given, 1, 'killwords'))) return cut + end
  const space = cut.lastIndexOf(' ')
  return (space < 0 ? cut : cut.slice(0, space)) + end
}

function formatted(value: Value, given: Arguments, { budget }: FilterContext): Value {
  const values = given.named.size > 0 ? new Map(given.named) : [...given.positional]
  return formatPercent(printValue(value, budget), values, budget)
}

function escape(value: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll("'", '&#39;')
    .replaceAll('"', '&#34;')
}

function items(value: Value): Value {
  if (value === undefined) return []
  if (!(value instanceof Map))
    throw new TemplateError(`items needs a dictionary, not ${typeName(value)}`)
  return Array.from(value, (entry) => makeTuple(entry))
}

function sortDictionary(value: Value, given: Arguments, { budget }: FilterContext): Value {
  if (!(value instanceof Map))
    throw new TemplateError(`dictsort needs a dictionary, not ${typeName(value)}`)
  budget.spend(sizeOf(value))
  const isCaseSensitive = isTruthy(argument(given, 0, 'case_sensitive'))
  const index = argument(given, 1, 'by') === 'value' ? 1 : 0
  const direction = isTruthy(argument(given, 2, 'reverse')) ? -1 : 1
  const fold = (each: Value): Value =>
    typeof each === 'string' && !isCaseSensitive ? each.toLowerCase() : each
  return Array.from(value, (entry) => makeTuple(entry)).sort(
    (a, b) => direction * order(fold(a[index]), fold(b[index]), budget),
  )
}

function attribute(value: Value, { positional: [name] }: Arguments): Value {
  return value instanceof Namespace && typeof name === 'string' ? value.fields.get(name) : undefined
}

function numberOf(value: Value): number {
  const number = asNumber(value)
  if (number === undefined)
    throw new TemplateError(`the value must be a number, not ${typeName(value)}`)
  return number
}
