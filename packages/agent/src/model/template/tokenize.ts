import { isSpace, strip } from './space.ts'
import { TemplateError } from './template-error.ts'

/**
 * Splits a template into tokens, in linear time. White space is handled as chat templates expect,
 * with `trim_blocks` and `lstrip_blocks`. The library's own tokenizer uses regular expressions on
 * the source, and loses `{%+`, `raw` and escapes such as `\u00e9`.
 */
export function tokenize(template: string): Token[] {
  const newlines = template.replaceAll(/\r\n?/g, '\n')
  const source = newlines.endsWith('\n') ? newlines.slice(0, -1) : newlines
  const tokens: Token[] = []
  let position = 0
  // True if the next character starts a line.
  let isLineStart = true
  while (position < source.length) {
    const open = nextOpening(source, position)
    const kind = source[open + 1]
    const sign = source[open + 2]
    let text = source.slice(position, open)
    if (open < source.length) {
      if (sign === '-') text = strip(text, 'end')
      else if (sign !== '+' && kind !== '{') text = withoutIndentation(text, isLineStart)
    }
    if (text !== '') tokens.push({ type: 'Text', value: text })
    if (open >= source.length) break
    const inside = open + (sign === '-' || (sign === '+' && kind !== '{') ? 3 : 2)
    if (kind === '#') position = readComment(inside)
    else position = kind === '%' ? readStatement(inside) : readInside(inside, '}}')
    isLineStart = source[position - 1] === '\n'
  }
  return tokens

  function readComment(start: number): number {
    const close = source.indexOf('#}', start)
    if (close < 0) throw new TemplateError('a comment is not closed: #} is missing')
    return afterBlock(close + 2, source[close - 1])
  }

  function readStatement(start: number): number {
    const raw = /^\s{0,20}raw\s{0,20}(-?)%\}/.exec(source.slice(start, start + 50))
    return raw ? readRaw(start + raw[0].length, raw[1] === '-') : readInside(start, '%}')
  }

  /** Reads text up to `endraw`, which is printed literally. */
  function readRaw(start: number, strips: boolean): number {
    for (let from = start; ;) {
      const close = source.indexOf('{%', from)
      if (close < 0) throw new TemplateError('raw is not closed: endraw is missing')
      const end = /^\{%([-+]?)\s{0,20}endraw\s{0,20}([-+]?)%\}/.exec(
        source.slice(close, close + 60),
      )
      from = close + 2
      if (!end) continue
      let text = source.slice(start, close)
      if (strips) text = strip(text, 'start')
      if (end[1] === '-') text = strip(text, 'end')
      else if (end[1] === '') text = withoutIndentation(text, false)
      if (text !== '') tokens.push({ type: 'Text', value: text })
      return afterBlock(close + end[0].length, end[2])
    }
  }

  /** The position after a statement or a comment. */
  function afterBlock(end: number, sign: string | undefined): number {
    if (sign === '-') return skipSpace(end)
    return sign !== '+' && source[end] === '\n' ? end + 1 : end
  }

  function skipSpace(from: number): number {
    let end = from
    while (isSpace(source[end])) end += 1
    return end
  }

  /** The tokens of a statement or an expression. */
  function readInside(start: number, closer: '%}' | '}}'): number {
    const [opening, closing] = closer === '%}' ? STATEMENT : EXPRESSION
    tokens.push({ type: opening, value: `{${closer[0] === '%' ? '%' : '{'}` })
    let depth = 0
    let at = start
    for (;;) {
      at = skipSpace(at)
      const character = source[at]
      if (character === undefined)
        throw new TemplateError(`a block is not closed: ${closer} is missing`)
      if (depth === 0) {
        const sign = (character === '-' || character === '+') && source.startsWith(closer, at + 1)
        if (sign || source.startsWith(closer, at)) {
          tokens.push({ type: closing, value: closer })
          const end = at + (sign ? 3 : 2)
          if (closer === '%}') return afterBlock(end, sign ? character : undefined)
          return sign && character === '-' ? skipSpace(end) : end
        }
      }
      if ('([{'.includes(character)) depth += 1
      if (')]}'.includes(character)) depth -= 1
      at = readToken(character, at)
    }
  }

  function readToken(character: string, at: number): number {
    if (character === '"' || character === "'") {
      const { value, end } = readString(source, at)
      tokens.push({ type: 'StringLiteral', value })
      return end
    }
    if (isDigit(character)) return readNumber(at)
    if (isWord(character)) {
      let end = at + 1
      while (isWord(source[end])) end += 1
      tokens.push({ type: 'Identifier', value: source.slice(at, end) })
      return end
    }
    const pair = OPERATORS.get(source.slice(at, at + 2))
    const type = pair ?? OPERATORS.get(character)
    if (!type) throw new TemplateError(`it has an unexpected '${character}'`)
    const value = pair ? source.slice(at, at + 2) : character
    tokens.push({ type, value })
    return at + value.length
  }

  function readNumber(at: number): number {
    const digits = (from: number): number => {
      let end = from
      while (isDigit(source[end]) || (source[end] === '_' && isDigit(source[end + 1]))) end += 1
      return end
    }
    let end = digits(at)
    const isIndex = tokens.at(-1)?.type === 'Dot'
    if (!isIndex && source[end] === '.' && isDigit(source[end + 1])) end = digits(end + 1)
    const exponent = /^e[+-]?\d/i.exec(source.slice(end, end + 3))
    const value = source.slice(at, end)
    if (isIndex || !exponent) {
      tokens.push({ type: 'NumericLiteral', value: value.replaceAll('_', '') })
      return end
    }
    end = digits(end + exponent[0].length)
    // The parser reads a number with a decimal point as a float.
    const point = value.includes('.') ? '' : '.0'
    const power = source.slice(at + value.length, end)
    tokens.push({ type: 'NumericLiteral', value: `${value}${point}${power}`.replaceAll('_', '') })
    return end
  }
}

const STATEMENT: readonly [TokenType, TokenType] = ['OpenStatement', 'CloseStatement']
const EXPRESSION: readonly [TokenType, TokenType] = ['OpenExpression', 'CloseExpression']

const OPERATORS: ReadonlyMap<string, TokenType> = new Map<string, TokenType>([
  ['(', 'OpenParen'],
  [')', 'CloseParen'],
  ['[', 'OpenSquareBracket'],
  [']', 'CloseSquareBracket'],
  ['{', 'OpenCurlyBracket'],
  ['}', 'CloseCurlyBracket'],
  [',', 'Comma'],
  ['.', 'Dot'],
  [':', 'Colon'],
  ['|', 'Pipe'],
  ['=', 'Equals'],
  ['+', 'AdditiveBinaryOperator'],
  ['-', 'AdditiveBinaryOperator'],
  ['~', 'AdditiveBinaryOperator'],
  ['*', 'MultiplicativeBinaryOperator'],
  ['/', 'MultiplicativeBinaryOperator'],
  ['//', 'MultiplicativeBinaryOperator'],
  ['%', 'MultiplicativeBinaryOperator'],
  ['**', 'ExponentiationBinaryOperator'],
  ...['==', '!=', '<=', '>=', '<', '>'].map((each) => [each, 'ComparisonBinaryOperator'] as const),
])

function nextOpening(source: string, from: number): number {
  for (let at = source.indexOf('{', from); at >= 0; at = source.indexOf('{', at + 1)) {
    const next = source[at + 1]
    if (next === '{' || next === '%' || next === '#') return at
  }
  return source.length
}

/** Removes the spaces before a block if nothing else precedes it on its line. */
function withoutIndentation(text: string, isLineStart: boolean): string {
  const line = text.lastIndexOf('\n') + 1
  const isAlone = (line > 0 || isLineStart) && strip(text.slice(line), 'both') === ''
  return isAlone ? text.slice(0, line) : text
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= '0' && character <= '9'
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_]/u.test(character)
}

/** A token in the form that the parser of `@huggingface/jinja` reads. */
export interface Token {
  type: TokenType
  value: string
}

export type TokenType =
  | 'Text'
  | 'NumericLiteral'
  | 'StringLiteral'
  | 'Identifier'
  | 'Equals'
  | 'OpenParen'
  | 'CloseParen'
  | 'OpenStatement'
  | 'CloseStatement'
  | 'OpenExpression'
  | 'CloseExpression'
  | 'OpenSquareBracket'
  | 'CloseSquareBracket'
  | 'OpenCurlyBracket'
  | 'CloseCurlyBracket'
  | 'Comma'
  | 'Dot'
  | 'Colon'
  | 'Pipe'
  | 'AdditiveBinaryOperator'
  | 'MultiplicativeBinaryOperator'
  | 'ExponentiationBinaryOperator'
  | 'ComparisonBinaryOperator'

/** Reads a quoted string at a position, with Python's escapes. */
function readString(source: string, start: number): { value: string; end: number } {
  const quote = source[start]
  let value = ''
  let from = start + 1
  for (let at = from; at < source.length; at += 1) {
    if (source[at] === quote) return { value: value + source.slice(from, at), end: at + 1 }
    if (source[at] !== '\\') continue
    value += source.slice(from, at)
    const [text, length] = escapeAt(source, at)
    value += text
    from = at + length
    at = from - 1
  }
  throw new TemplateError('a quoted string is not closed')
}

/** The value and length of an escape. An unknown escape is printed literally. */
function escapeAt(source: string, at: number): readonly [string, number] {
  const letter = source[at + 1] ?? ''
  const simple = SIMPLE.get(letter)
  if (simple !== undefined) return [simple, 2]
  const digits = HEXADECIMAL.get(letter)
  if (digits !== undefined) {
    const code = source.slice(at + 2, at + 2 + digits)
    const number = Number.parseInt(code, 16)
    if (code.length === digits && /^[\da-f]+$/i.test(code) && number <= 0x10ffff)
      return [String.fromCodePoint(number), 2 + digits]
  }
  const octal = /^[0-7]{1,3}/.exec(source.slice(at + 1, at + 4))?.[0]
  if (octal !== undefined) return [String.fromCharCode(Number.parseInt(octal, 8)), 1 + octal.length]
  return [`\\${letter}`, 2]
}

const SIMPLE: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
  ['v', '\v'],
  ['a', '\u0007'],
  ["'", "'"],
  ['"', '"'],
  ['\\', '\\'],
  ['\n', ''],
])

const HEXADECIMAL: ReadonlyMap<string, number> = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
])
