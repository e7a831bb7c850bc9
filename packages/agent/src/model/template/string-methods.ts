import type { Budget } from './budget.ts'
import { printValue } from './print.ts'
import { splitWords, strip } from './space.ts'
import { TemplateError } from './template-error.ts'
import {
  argument,
  type Arguments,
  itemsOf,
  makeTuple,
  textOf,
  typeName,
  type Value,
  wholeNumber,
} from './value.ts'

type StringMethod = (text: string, given: Arguments, budget: Budget) => Value

/** The methods of a string. */
export const stringMethods: ReadonlyMap<string, StringMethod> = new Map<string, StringMethod>([
  ['upper', inOtherCase((text) => text.toUpperCase())],
  ['lower', inOtherCase((text) => text.toLowerCase())],
  ['casefold', inOtherCase((text) => text.toLowerCase())],
  ['capitalize', inOtherCase(capitalize)],
  ['title', inOtherCase(titleCase)],
  ['swapcase', inOtherCase(swapCase)],
  ['strip', (text, given) => strip(text, 'both', charactersOf(given))],
  ['lstrip', (text, given) => strip(text, 'start', charactersOf(given))],
  ['rstrip', (text, given) => strip(text, 'end', charactersOf(given))],
  [
    'startswith',
    (text, given, budget) => affixes(given, budget).some((each) => text.startsWith(each)),
  ],
  ['endswith', (text, given, budget) => affixes(given, budget).some((each) => text.endsWith(each))],
  ['removeprefix', (text, given) => removePrefix(text, first(given))],
  ['removesuffix', (text, given) => removeSuffix(text, first(given))],
  ['split', split],
  ['rsplit', rightSplit],
  ['splitlines', splitLines],
  ['partition', (text, given) => partition(text, first(given), text.indexOf(first(given)))],
  ['rpartition', (text, given) => partition(text, first(given), text.lastIndexOf(first(given)))],
  ['replace', replace],
  ['join', (text, given, budget) => join(itemsOf(given.positional[0]), text, budget)],
  ['find', (text, given) => find(text, given)],
  ['rfind', (text, given) => text.lastIndexOf(first(given))],
  ['index', (text, given) => found(find(text, given))],
  ['count', (text, given) => count(text, first(given))],
  ['isdigit', (text) => /^\p{Nd}+$/u.test(text)],
  ['isnumeric', (text) => /^\p{N}+$/u.test(text)],
  ['isdecimal', (text) => /^\p{Nd}+$/u.test(text)],
  ['isalpha', (text) => /^\p{L}+$/u.test(text)],
  ['isalnum', (text) => /^[\p{L}\p{N}]+$/u.test(text)],
  ['isspace', (text) => text !== '' && strip(text, 'both') === ''],
  ['isupper', (text) => text === text.toUpperCase() && text !== text.toLowerCase()],
  ['islower', (text) => text === text.toLowerCase() && text !== text.toUpperCase()],
  ['zfill', (text, given, budget) => zeroFill(text, widthOf(given, budget))],
  ['ljust', (text, given, budget) => text.padEnd(widthOf(given, budget), fillOf(given))],
  ['rjust', (text, given, budget) => text.padStart(widthOf(given, budget), fillOf(given))],
  ['center', (text, given, budget) => center(text, widthOf(given, budget), fillOf(given))],
])

/** Letters such as ß become several letters in another case. */
function inOtherCase(change: (text: string) => string): StringMethod {
  return (text, _given, budget) => {
    budget.text(3 * text.length)
    return change(text)
  }
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1).toLowerCase()
}

/** Capitalizes all words like Python's `title`. */
export function titleCase(text: string): string {
  return text.replaceAll(
    /\p{L}+/gu,
    (word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase(),
  )
}

/** Concatenates the text of items, with a separator between them. */
export function join(items: readonly Value[], separator: string, budget: Budget): string {
  budget.items(items.length)
  const texts = items.map((item) => printValue(item, budget))
  const length = texts.reduce((sum, text) => sum + text.length + separator.length, 0)
  budget.text(length)
  return texts.join(separator)
}

/** Replaces occurrences of a string, at most `max` times. */
export function replaceText(
  text: string,
  [from, to]: readonly [string, string],
  max: number,
  budget: Budget,
): string {
  const limit = max < 0 ? Infinity : max
  if (from === '') {
    budget.items(text.length)
    const characters = Array.from(text)
    const times = Math.min(limit, characters.length + 1)
    budget.text(text.length + times * to.length)
    const heads = characters.map((each, index) => (index < times ? to + each : each))
    return heads.join('') + (times > characters.length ? to : '')
  }
  const parts: string[] = []
  let position = 0
  while (parts.length < limit) {
    const next = text.indexOf(from, position)
    if (next < 0) break
    parts.push(text.slice(position, next))
    position = next + from.length
    budget.fits(position + parts.length * to.length)
  }
  budget.text(text.length + parts.length * to.length)
  parts.push(text.slice(position))
  return parts.join(to)
}

/** Centers a string within a width. */
export function center(text: string, width: number, fill = ' '): string {
  const room = Math.max(0, width - text.length)
  const left = Math.floor(room / 2) + (room & width & 1)
  return fill.repeat(left) + text + fill.repeat(room - left)
}

function replace(text: string, given: Arguments, budget: Budget): string {
  const from = textOf(argument(given, 0, 'old'), 'the replaced text')
  const to = textOf(argument(given, 1, 'new'), 'the replacement')
  return replaceText(text, [from, to], maxOf(argument(given, 2, 'count')), budget)
}

function maxOf(value: Value): number {
  return value === undefined || value === null ? -1 : wholeNumber(value, 'a count')
}

function first(given: Arguments): string {
  return textOf(given.positional[0], 'the argument')
}

function charactersOf(given: Arguments): string | undefined {
  const characters = argument(given, 0, 'chars')
  return characters === undefined || characters === null
    ? undefined
    : textOf(characters, 'the characters')
}

function affixes(given: Arguments, budget: Budget): string[] {
  const [value] = given.positional
  return (Array.isArray(value) ? value : [value]).map((each) => {
    const affix = textOf(each, 'the argument')
    budget.spend(affix.length)
    return affix
  })
}

function removePrefix(text: string, prefix: string): string {
  return text.startsWith(prefix) ? text.slice(prefix.length) : text
}

function removeSuffix(text: string, suffix: string): string {
  return suffix !== '' && text.endsWith(suffix) ? text.slice(0, -suffix.length) : text
}

function split(text: string, given: Arguments, budget: Budget): Value {
  const separator = argument(given, 0, 'sep')
  const max = maxOf(argument(given, 1, 'maxsplit'))
  if (separator === undefined || separator === null) return words(text, max, budget)
  const parts = splitAt(text, separator, budget)
  if (max < 0 || parts.length <= max + 1) return parts
  return [...parts.slice(0, max), parts.slice(max).join(separatorOf(separator))]
}

function rightSplit(text: string, given: Arguments, budget: Budget): Value {
  const separator = argument(given, 0, 'sep')
  const max = maxOf(argument(given, 1, 'maxsplit'))
  if (separator === undefined || separator === null) return words(text, -1, budget)
  const parts = splitAt(text, separator, budget)
  if (max < 0 || parts.length <= max + 1) return parts
  const head = parts.slice(0, parts.length - max)
  return [head.join(separatorOf(separator)), ...parts.slice(parts.length - max)]
}

function words(text: string, max: number, budget: Budget): string[] {
  budget.items(text.length)
  return splitWords(text, max)
}

function splitAt(text: string, separator: Value, budget: Budget): string[] {
  const parts = text.split(separatorOf(separator))
  budget.items(parts.length)
  return parts
}

function separatorOf(value: Value): string {
  const separator = textOf(value, 'a separator')
  if (separator === '') throw new TemplateError('a separator must not be empty')
  return separator
}

function splitLines(text: string, given: Arguments, budget: Budget): string[] {
  const keepsEnds = argument(given, 0, 'keepends') === true
  budget.items(text.length)
  const lines: string[] = []
  let start = 0
  for (let at = 0; at < text.length; at += 1) {
    if (!LINE_ENDS.has(text[at]!)) continue
    const end = text.startsWith('\r\n', at) ? at + 2 : at + 1
    lines.push(text.slice(start, keepsEnds ? end : at))
    start = end
    at = end - 1
  }
  if (start < text.length) lines.push(text.slice(start))
  return lines
}

const LINE_ENDS: ReadonlySet<string> = new Set('\n\r\v\f\u001c\u001d\u001e\u0085\u2028\u2029')

function partition(text: string, separator: string, index: number): Value {
  if (index < 0) return makeTuple([text, '', ''])
  return makeTuple([text.slice(0, index), separator, text.slice(index + separator.length)])
}

function find(text: string, given: Arguments): number {
  const start = given.positional[1]
  return text.indexOf(first(given), start === undefined ? 0 : wholeNumber(start, 'a position'))
}

function found(index: number): number {
  if (index < 0) throw new TemplateError('the string does not contain the substring')
  return index
}

function count(text: string, part: string): number {
  return part === '' ? Array.from(text).length + 1 : text.split(part).length - 1
}

function swapCase(text: string): string {
  return Array.from(text, (each) =>
    each === each.toUpperCase() ? each.toLowerCase() : each.toUpperCase(),
  ).join('')
}

function zeroFill(text: string, width: number): string {
  const sign = /^[+-]/.exec(text)?.[0] ?? ''
  return sign + text.slice(sign.length).padStart(width - sign.length, '0')
}

function widthOf(given: Arguments, budget: Budget): number {
  const width = wholeNumber(argument(given, 0, 'width'), 'a width')
  budget.text(Math.max(0, width))
  return width
}

function fillOf({ positional }: Arguments): string {
  const fill = positional[1] ?? ' '
  if (typeof fill !== 'string' || fill.length !== 1)
    throw new TemplateError(`a fill must be one character, not ${typeName(fill)}`)
  return fill
}
