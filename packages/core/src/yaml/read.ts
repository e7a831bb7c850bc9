// Folder: YAML values.
import { duplicateKeyIn } from '../json/text.ts'
import { WORDS } from '../python/print.ts'

/** One member of a mapping. `plain` is its source text if it is an unquoted scalar. */
interface YamlEntry {
  readonly key: string
  readonly value: unknown
  readonly plain?: string
}

interface Lines {
  /** A copy of the lines, which are rewritten while reading. */
  readonly all: string[]
  readonly folds: boolean
  at: number
}

/**
 * Reads a mapping in the subset of YAML that models use: nested mappings and lists by indentation,
 * quoted and plain scalars, block scalars (`|`, `>`), JSON in place of a value, comments. Undefined
 * if it is not a mapping. With `folds`, a plain scalar may continue on the following lines.
 */
export function readYaml(
  text: readonly string[],
  { folds = false }: { folds?: boolean } = {},
): YamlEntry[] | undefined {
  const lines: Lines = { all: [...text], folds, at: 0 }
  skipBlank(lines)
  const entries = readMapping(lines, indentOf(lines))
  skipBlank(lines)
  return lines.at < lines.all.length ? undefined : entries
}

const MAX_DEPTH = 64

function readMapping(lines: Lines, indent: number, depth = 0): YamlEntry[] | undefined {
  const entries: YamlEntry[] = []
  for (;;) {
    skipBlank(lines)
    if (lines.at >= lines.all.length || indentOf(lines) < indent) return entries
    if (indentOf(lines) > indent || depth > MAX_DEPTH) return undefined
    const found = splitKey(lines.all[lines.at]!.slice(indent))
    if (!found) return undefined
    const entry = readEntryValue(lines, indent, found.rest, depth)
    if (!entry) return undefined
    entries.push({ key: found.key, ...entry })
  }
}

/** Reads the value after a key or dash: on the same line, or indented below it. */
function readEntryValue(
  lines: Lines,
  indent: number,
  rest: string,
  depth: number,
): { value: unknown; plain?: string } | undefined {
  lines.at++
  const text = withoutComment(rest.trim())
  if (text[0] === '|' || text[0] === '>') {
    const value = readBlockScalar(lines, indent, text)
    return value === undefined ? undefined : { value }
  }
  if (text !== '')
    return scalar(withLines(lines, indent, text)) ?? readQuotedLines(lines, indent, text)
  skipBlank(lines)
  if (lines.at >= lines.all.length) return { value: null }
  const inner = indentOf(lines)
  const list = lines.all[lines.at]!.slice(inner).startsWith('-')
  if (inner < indent || (inner === indent && !list)) return { value: null }
  const value = list
    ? readList(lines, inner, depth + 1)
    : asObject(readMapping(lines, inner, depth + 1))
  return value === undefined ? undefined : { value }
}

function readList(lines: Lines, indent: number, depth: number): unknown[] | undefined {
  const items: unknown[] = []
  for (;;) {
    skipBlank(lines)
    const line = lines.all[lines.at]
    if (line === undefined || indentOf(lines) < indent) return items
    if (depth > MAX_DEPTH || indentOf(lines) > indent || !/^-(?:\s|$)/.test(line.slice(indent))) {
      return indentOf(lines) === indent && !line.slice(indent).startsWith('-') ? items : undefined
    }
    const rest = line.slice(indent + 1)
    const body = rest.trimStart()
    if (body !== '' && splitKey(body) && !'"\'[{|>'.includes(body[0]!)) {
      // A mapping that begins after a dash equals one indented to the same column.
      const inner = line.length - body.length
      lines.all[lines.at] = ' '.repeat(inner) + body
      const value = asObject(readMapping(lines, inner, depth + 1))
      if (value === undefined) return undefined
      items.push(value)
    } else {
      const entry = readEntryValue(lines, indent, rest, depth)
      if (!entry) return undefined
      items.push(entry.value)
    }
  }
}

/** `|` keeps line breaks, `>` folds them; `-` drops the last one, `+` keeps trailing blank lines; a digit is the indentation. */
function readBlockScalar(lines: Lines, indent: number, header: string): string | undefined {
  if (!/^[|>](?:[+-]?[1-9]?|[1-9][+-])$/.test(header)) return undefined
  const body: string[] = []
  const width = /[1-9]/.exec(header)?.[0]
  let inner = width === undefined ? -1 : indent + Number(width)
  for (; lines.at < lines.all.length; lines.at++) {
    const line = lines.all[lines.at]!
    if (line.trim() !== '') {
      const own = indentOf(lines)
      if (own <= indent) break
      if (inner < 0) inner = own
      if (own < inner) return undefined
    }
    body.push(line.slice(inner < 0 ? line.length : inner))
  }
  const blank = body.length
  while (body.at(-1) === '') body.pop()
  const text = header[0] === '>' ? folded(body) : body.join('\n')
  const end = body.length > 0 ? '\n' : ''
  if (header.includes('+')) return text + end + '\n'.repeat(blank - body.length)
  return header.includes('-') ? text : text + end
}

/**
 * Joins a plain scalar with its continuation lines, which are indented further and are neither a
 * key nor an item.
 */
function withLines(lines: Lines, indent: number, first: string): string {
  if (!lines.folds || '"\'[{'.includes(first[0]!)) return first
  const parts = [first]
  for (; lines.at < lines.all.length && indentOf(lines) > indent; lines.at++) {
    const line = lines.all[lines.at]!.trim()
    if (line === '' || line.startsWith('- ') || splitKey(line)) break
    parts.push(line)
  }
  return parts.join(' ')
}

/**
 * Joins lines with spaces. A blank line becomes a line break, and lines with more indentation keep
 * theirs.
 */
function folded(lines: readonly string[]): string {
  let text = ''
  let last: string | undefined
  for (const line of lines) {
    if (line === '') text += '\n'
    else {
      const keeps = /^\s/.test(line) || /^\s/.test(last ?? '')
      if (last !== undefined && keeps) text += '\n'
      else if (last !== undefined && !text.endsWith('\n')) text += ' '
      text += last = line
    }
  }
  return text
}

/** Reads a quoted scalar that continues on the following lines, which are joined with spaces. */
function readQuotedLines(
  lines: Lines,
  indent: number,
  first: string,
): { value: unknown } | undefined {
  const ends = first[0] === '"' ? ENDS_DOUBLE : ENDS_SINGLE
  const parts = [first]
  while (lines.at < lines.all.length && indentOf(lines) > indent) {
    const line = lines.all[lines.at++]!.trim()
    parts.push(line)
    if (ends.test(line)) return scalar(parts.join(' '))
  }
  return undefined
}

/** An unescaped quote at the end: not after a backslash, or not doubled. */
const ENDS_DOUBLE = /(?<!\\)(?:\\\\)*"$/
const ENDS_SINGLE = /(?<!')(?:'')*'$/

function scalar(text: string): { value: unknown; plain?: string } | undefined {
  if (text[0] === '"' || text[0] === '[' || text[0] === '{') {
    try {
      const value: unknown = JSON.parse(text)
      return duplicateKeyIn(text) === undefined ? { value } : { value: text }
    } catch {
      // YAML's flow syntax, or a plain scalar that begins like it, is kept as text.
      return text[0] === '"' ? undefined : { value: text, plain: text }
    }
  }
  if (text[0] === "'") {
    return text.length > 1 && text.endsWith("'")
      ? { value: text.slice(1, -1).replaceAll("''", "'") }
      : undefined
  }
  const word = WORDS.get(text) ?? (isNumber(text) ? text : undefined)
  return { value: word === undefined ? text : (JSON.parse(word) as unknown), plain: text }
}

/**
 * True for a number in its usual form or with trailing zeros, but not for `007` or more digits than
 * a number can represent.
 */
function isNumber(text: string): boolean {
  return String(Number(text)) === text || /^-?(?:0|[1-9][0-9]{0,14})\.[0-9]{1,15}$/.test(text)
}

/** The length of the quoted scalar at the start of a text, or 0 if there is none. */
function quotedLength(text: string): number {
  const quote = text[0]
  if (quote !== '"' && quote !== "'") return 0
  for (let i = 1; i < text.length; i++) {
    if (quote === '"' && text[i] === '\\') i++
    else if (text[i] === quote && (quote === '"' || text[i + 1] !== quote)) return i + 1
    else if (text[i] === quote) i++
  }
  return text.length
}

/** Splits `key: rest`. The key may be quoted. */
function splitKey(text: string): { key: string; rest: string } | undefined {
  const colon = text.indexOf(':', quotedLength(text))
  const after = text[colon + 1]
  if (colon < 1 || (after !== undefined && after !== ' ' && after !== '\t')) return undefined
  if (text[0] === '[' || text[0] === '{') return undefined
  const key = scalar(text.slice(0, colon).trim())
  const name = key && (key.plain ?? key.value)
  return typeof name === 'string' ? { key: name, rest: text.slice(colon + 1) } : undefined
}

/** Removes a comment, which begins with `#` after a space, but not inside quotes or JSON. */
function withoutComment(text: string): string {
  if (text[0] === '#') return ''
  const whole = text[0] !== undefined && '"\'[{'.includes(text[0])
  if (whole && closes(text)) return text
  for (let at = text.lastIndexOf(' #'); at >= 0; at = whole ? text.lastIndexOf(' #', at - 1) : -1) {
    const before = text.slice(0, whole ? at : text.indexOf(' #')).trimEnd()
    if (!whole || closes(before)) return before
    if (at === 0) break
  }
  return text
}

/** True if text ends with the quote or bracket that closes its first one. */
function closes(text: string): boolean {
  return { '"': '"', "'": "'", '[': ']', '{': '}' }[text[0]!] === text.at(-1) && text.length > 1
}

function skipBlank(lines: Lines): void {
  while (lines.at < lines.all.length && /^\s*(?:#|$)/.test(lines.all[lines.at]!)) lines.at++
}

/** The number of spaces at the start of the line. */
function indentOf({ all, at }: Lines): number {
  const line = all[at] ?? ''
  let count = 0
  while (line.charCodeAt(count) === 32) count++
  return count
}

/** The entries as an object, or undefined if there are none or a key occurs twice. */
export function asObject(
  entries: readonly YamlEntry[] | undefined,
): Record<string, unknown> | undefined {
  const object = entries && Object.fromEntries(entries.map(({ key, value }) => [key, value]))
  return object && Object.keys(object).length === entries.length ? object : undefined
}
