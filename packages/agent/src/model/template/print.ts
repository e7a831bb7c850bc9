import { type Budget, ITEM } from './budget.ts'
import { Callable, Float, Namespace, Tuple, type Value } from './value.ts'

/** The text of a value, as Python's `str` gives it. */
export function printValue(value: Value, budget: Budget): string {
  if (typeof value === 'string') return value
  if (value === undefined) return ''
  return printLiteral(value, budget)
}

/** The value as Python's `repr` gives it. */
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

/** A number as Python prints it. */
export function printNumber(value: number): string {
  return Number.isInteger(value) ? printInteger(value) : printFloat(value)
}

function printInteger(value: number): string {
  return Number.isSafeInteger(value) ? String(value) : BigInt(value).toString()
}

/** A float as Python prints it. */
export function printFloat(value: number): string {
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

/** A text in quotes, as Python prints it inside a list. */
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
