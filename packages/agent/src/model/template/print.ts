import { type Budget, ITEM } from './budget.ts'
import {
  Callable,
  Float,
  Namespace,
  Tuple,
  type Value,
  argument,
  type Arguments,
  isTruthy,
  type Key,
  typeName,
} from './value.ts'
import { TemplateError } from './template-error.ts'

/** Prints a value like Python's `str`. */
export function printValue(value: Value, budget: Budget): string {
  if (typeof value === 'string') return value
  if (value === undefined) return ''
  return printLiteral(value, budget)
}

/** Prints a value like Python's `repr`. */
export function printLiteral(value: Value, budget: Budget): string {
  const parts: string[] = []
  let length = 0
  const write = (text: string): void => {
    length += text.length
    budget.text(text.length + ITEM)
    if (length > budget.limits.length) budget.text(length)
    parts.push(text)
  }
  const list = (open: string, items: Iterable<Value>, close: string): void => {
    write(open)
    let isFirst = true
    for (const item of items) {
      if (!isFirst) write(', ')
      isFirst = false
      visit(item)
    }
    write(close)
  }
  const visit = (each: Value): void => {
    if (each instanceof Tuple) list('(', each, each.length === 1 ? ',)' : ')')
    else if (Array.isArray(each)) budget.nested(() => list('[', each, ']'))
    else if (each instanceof Map) {
      budget.nested(() => {
        write('{')
        let isFirst = true
        for (const [key, item] of each) {
          if (!isFirst) write(', ')
          isFirst = false
          visit(key)
          write(': ')
          visit(item)
        }
        write('}')
      })
    } else write(printScalar(each))
  }
  visit(value)
  return parts.join('')
}

function printScalar(value: Value): string {
  if (value === undefined) return 'Undefined'
  if (value === null) return 'None'
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (typeof value === 'string') return quote(value)
  if (typeof value === 'number') return printNumber(value)
  if (value instanceof Float) return printFloat(value.value)
  if (value instanceof Callable) return `<function ${value.name}>`
  return value instanceof Namespace ? '<Namespace>' : ''
}

/** Prints a number like Python. */
function printNumber(value: number): string {
  return Number.isInteger(value) ? printInteger(value) : printFloat(value)
}

function printInteger(value: number): string {
  return Number.isSafeInteger(value) ? String(value) : BigInt(value).toString()
}

/** Prints a float like Python. */
function printFloat(value: number): string {
  if (Number.isNaN(value)) return 'nan'
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf'
  if (Object.is(value, -0)) return '-0.0'
  const magnitude = Math.abs(value)
  if (magnitude !== 0 && (magnitude >= 1e16 || magnitude < 1e-4)) {
    const [digits = '', exponent = '+0'] = value.toExponential().split('e')
    const sign = exponent.startsWith('-') ? '-' : '+'
    return `${digits}e${sign}${exponent.slice(1).padStart(2, '0')}`
  }
  return Number.isInteger(value) ? `${value}.0` : String(value)
}

/** Quotes a string like Python inside a list. */
function quote(text: string): string {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'"
  let quoted = ''
  for (const character of text) {
    const code = character.codePointAt(0)!
    if (character === mark || character === '\\') quoted += `\\${character}`
    else if (character === '\n') quoted += '\\n'
    else if (character === '\r') quoted += '\\r'
    else if (character === '\t') quoted += '\\t'
    else if (code < 0x20 || (code >= 0x7f && code < 0xa1) || code === 0xad) {
      quoted += `\\x${code.toString(16).padStart(2, '0')}`
    } else quoted += character
  }
  return `${mark}${quoted}${mark}`
}

/** The `tojson` filter: Python's `json.dumps`, but keeping non-ASCII characters. */
export function toJson(value: Value, given: Arguments, budget: Budget): string {
  const indentation = indentOf(argument(given, 1, 'indent'))
  const isAscii = isTruthy(argument(given, 0, 'ensure_ascii'))
  const isSorted = isTruthy(argument(given, 3, 'sort_keys'))
  const [between, colon] = separatorsOf(argument(given, 2, 'separators'), indentation)
  const parts: string[] = []
  const write = (text: string): void => {
    budget.text(text.length + ITEM)
    parts.push(text)
  }
  const quote = (text: string): void => {
    budget.spend(text.length)
    const quoted = JSON.stringify(text)
    write(isAscii ? escapeNonAscii(quoted) : quoted)
  }
  const line = (depth: number): void => {
    if (indentation !== undefined) write(`\n${indentation.repeat(depth)}`)
  }
  const group = (
    marks: string,
    size: number,
    depth: number,
    writeItem: (index: number) => void,
  ) => {
    write(marks[0]!)
    for (let index = 0; index < size; index += 1) {
      if (index > 0) write(between)
      line(depth + 1)
      writeItem(index)
    }
    if (size > 0) line(depth)
    write(marks[1]!)
  }
  const visit = (each: Value, depth: number): void => {
    if (typeof each === 'string') quote(each)
    else if (Array.isArray(each)) {
      budget.nested(() => group('[]', each.length, depth, (index) => visit(each[index], depth + 1)))
    } else if (each instanceof Map) {
      budget.items(each.size)
      const entries = [...each]
      if (isSorted) entries.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))
      budget.nested(() =>
        group('{}', entries.length, depth, (index) => {
          const [key, item] = entries[index]!
          quote(keyText(key))
          write(colon)
          visit(item, depth + 1)
        }),
      )
    } else write(scalar(each))
  }
  visit(value, 0)
  return parts.join('')
}

function keyText(key: Key): string {
  return typeof key === 'number' ? printNumber(key) : String(key)
}

function scalar(value: Value): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'boolean') return String(value)
  if (typeof value === 'number') return printNumber(value)
  if (value instanceof Float) return printFloat(value.value)
  throw new TemplateError(`${typeName(value)} cannot be written as JSON`)
}

function indentOf(value: Value): string | undefined {
  if (typeof value === 'string') return value.slice(0, MAX_INDENT)
  return typeof value === 'number'
    ? ' '.repeat(Math.min(Math.max(0, value), MAX_INDENT))
    : undefined
}

const MAX_INDENT = 64

function separatorsOf(value: Value, indentation: string | undefined): readonly [string, string] {
  if (Array.isArray(value) && typeof value[0] === 'string' && typeof value[1] === 'string')
    return [value[0], value[1]]
  return [indentation === undefined ? ', ' : ',', ': ']
}

function escapeNonAscii(text: string): string {
  return text.replaceAll(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
