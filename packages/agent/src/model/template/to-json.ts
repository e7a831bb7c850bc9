import { type Budget, ITEM } from './budget.ts'
import { printFloat, printNumber } from './print.ts'
import { TemplateError } from './template-error.ts'
import {
  argument,
  type Arguments,
  Float,
  isTruthy,
  type Key,
  typeName,
  type Value,
} from './value.ts'

/** The `tojson` filter: Python's `json.dumps` with non-ASCII characters kept. */
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
