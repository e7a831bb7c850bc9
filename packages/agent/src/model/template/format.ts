import type { Budget } from './budget.ts'
import { printLiteral, printValue } from './print.ts'
import { TemplateError } from './template-error.ts'
import { type Arguments, asNumber, isFloat, typeName, type Value } from './value.ts'

/** Python's `text.format(…)`: `{}`, `{0}`, `{name.field[0]!r:>8}`. */
export function formatText(
  text: string,
  given: Arguments,
  memberOf: (value: Value, name: string, budget: Budget) => Value,
  budget: Budget,
): string {
  let result = ''
  let position = 0
  let next = 0
  const write = (part: string): void => {
    budget.text(result.length + part.length)
    result += part
  }
  while (position < text.length) {
    const brace = nextBrace(text, position)
    write(text.slice(position, brace))
    if (brace >= text.length) break
    const character = text[brace]!
    if (text[brace + 1] === character) {
      write(character)
      position = brace + 2
      continue
    }
    const end = text.indexOf('}', brace)
    if (character === '}' || end < 0)
      throw new TemplateError('the format string has an unpaired brace')
    const { path, conversion, specification } = fieldOf(text.slice(brace + 1, end))
    const [root = '', ...members] = path
    let value: Value
    if (root === '') {
      value = given.positional[next]
      next += 1
    } else {
      value = /^\d+$/.test(root) ? given.positional[Number(root)] : given.named.get(root)
    }
    for (const member of members) value = memberOf(value, member, budget)
    const printed = conversion === 'r' ? printLiteral(value, budget) : value
    write(
      formatValue(conversion === 's' ? printValue(value, budget) : printed, specification, budget),
    )
    position = end + 1
  }
  return result
}

function nextBrace(text: string, from: number): number {
  let position = from
  while (position < text.length && text[position] !== '{' && text[position] !== '}') position += 1
  return position
}

function fieldOf(field: string): {
  path: string[]
  conversion: string | undefined
  specification: string
} {
  const colon = field.indexOf(':')
  const head = colon < 0 ? field : field.slice(0, colon)
  const mark = head.lastIndexOf('!')
  const path = (mark < 0 ? head : head.slice(0, mark)).replaceAll(']', '').split(/[.[]/)
  return {
    path,
    conversion: mark < 0 ? undefined : head.slice(mark + 1),
    specification: colon < 0 ? '' : field.slice(colon + 1),
  }
}

/** Formats a value with a specification such as `>8`, `03d`, `.2f` or `,`. */
export function formatValue(value: Value, specification: string, budget: Budget): string {
  if (specification === '') return printValue(value, budget)
  const match =
    /^(?:(.)?([<>^=]))?([+ -])?(#)?(0)?(\d{1,6})?(,)?(?:\.(\d{1,3}))?([a-zA-Z%])?$/su.exec(
      specification,
    )
  if (!match) throw new TemplateError('the format string has an unknown specification')
  const [, fill, align, sign = '', , zero, width = '0', comma, precision, type] = match
  const number = asNumber(value)
  const isNumber = number !== undefined && type !== 's'
  let body = isNumber
    ? formatNumber(Math.abs(number), type ?? (isFloat(value) ? 'g' : 'd'), precision, value, budget)
    : printValue(value, budget).slice(0, precision === undefined ? undefined : Number(precision))
  if (comma) body = body.replace(/^\d+/, (digits) => groupThousands(digits))
  let prefix = ''
  if (isNumber) prefix = number < 0 || Object.is(number, -0) ? '-' : sign.replace('-', '')
  budget.text(Number(width))
  const padding = (zero && !align ? '0' : (fill ?? ' ')).repeat(
    Math.max(0, Number(width) - prefix.length - body.length),
  )
  switch (align ?? (zero ? '=' : isNumber ? '>' : '<')) {
    case '<':
      return prefix + body + padding
    case '=':
      return prefix + padding + body
    case '^': {
      const left = Math.floor(padding.length / 2)
      return padding.slice(0, left) + prefix + body + padding.slice(left)
    }
    default:
      return padding + prefix + body
  }
}

/** Inserts commas between groups of three digits. */
function groupThousands(digits: string): string {
  const groups: string[] = []
  for (let end = digits.length; end > 0; end -= 3)
    groups.unshift(digits.slice(Math.max(0, end - 3), end))
  return groups.join(',')
}

function formatNumber(
  number: number,
  type: string,
  precision: string | undefined,
  value: Value,
  budget: Budget,
): string {
  const places = Number(precision ?? 6)
  if (places > 100) throw new TemplateError('a format has more than 100 decimal places')
  switch (type) {
    case 'd':
    case 'i':
      return printValue(Math.trunc(number), budget)
    case 'f':
    case 'F':
      return number.toFixed(places)
    case 'e':
      return number.toExponential(places).replace(/e([+-])(\d)$/, 'e$10$2')
    case '%':
      return `${(number * 100).toFixed(places)}%`
    case 'x':
      return number.toString(16)
    case 'X':
      return number.toString(16).toUpperCase()
    case 'o':
      return number.toString(8)
    case 'b':
      return number.toString(2)
    case 'g':
      return precision === undefined
        ? printValue(value, budget).replace(/^-/, '')
        : String(Number(number.toPrecision(Math.max(1, places))))
    default:
      throw new TemplateError(`the format string has the unknown type '${type}'`)
  }
}

/** Python's `text % values`. */
export function formatPercent(text: string, values: Value, budget: Budget): string {
  const items = Array.isArray(values) ? values : [values]
  let next = 0
  let result = ''
  let position = 0
  for (;;) {
    const percent = text.indexOf('%', position)
    budget.text(result.length + text.length - position)
    if (percent < 0) return result + text.slice(position)
    result += text.slice(position, percent)
    const match =
      /^%(?:\((\w{1,100})\))?([-+ 0#]{0,5})(\d{1,6})?(?:\.(\d{1,3}))?([sdifeEgrxXoc%])/.exec(
        text.slice(percent, percent + 140),
      )
    if (!match) throw new TemplateError("the format string has an unsupported '%' conversion")
    const [whole, name, flags = '', width = '', places, type = 's'] = match
    position = percent + whole.length
    if (type === '%') {
      result += '%'
      continue
    }
    let value: Value
    if (name !== undefined && values instanceof Map) value = values.get(name)
    else {
      if (next >= items.length) throw new TemplateError('the format string has too few values')
      value = items[next]
      next += 1
    }
    if (type !== 's' && type !== 'r' && type !== 'c' && asNumber(value) === undefined)
      throw new TemplateError(`the format string needs a number, not ${typeName(value)}`)
    const printed = type === 'r' ? printLiteral(value, budget) : value
    const isText = type === 's' || type === 'r' || type === 'c'
    const side = flags.includes('-') ? '<' : '>'
    const padding = flags.includes('0') && side === '>' && !isText ? '0' : side
    const plus = /[+ ]/.exec(flags)?.[0] ?? ''
    const point = places === undefined ? '' : `.${places}`
    const specification = isText
      ? `${side}${width}${point}`
      : `${padding === '0' ? '' : padding}${plus}${padding === '0' ? '0' : ''}${width}${point}${type === 'i' ? 'd' : type}`
    result += formatValue(isText ? printValue(printed, budget) : printed, specification, budget)
  }
}
