import { fileURLToPath } from 'node:url'
import type {
  CodeAction,
  CodeDiagnostic,
  CodeLocation,
  CodePosition,
  CodeSpan,
  CodeCall,
  CodeSymbol,
} from '../host/language.ts'

/** An object from a server, whose fields may have any type. */
export type UntypedObject = Readonly<Record<string, unknown>>

/** The value if it is an object, otherwise an empty one. */
export function objectOf(value: unknown): UntypedObject {
  return typeof value === 'object' && value !== null ? (value as UntypedObject) : {}
}

/** The value if it is an array, otherwise an empty one. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The value if it is a string, truncated to a maximum length. */
function limitedText(value: unknown, maxLength: number): string | undefined {
  if (typeof value !== 'string') return undefined
  return value.length > maxLength ? `${value.slice(0, maxLength)}…` : value
}

/** The value if it is a non-negative integer, otherwise 0. */
function countOf(value: unknown): number {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : 0
}

/** The maximum number of diagnostics per file. */
const MAX_DIAGNOSTICS = 1000
const SEVERITIES = ['error', 'warning', 'information', 'hint'] as const
const MAX_MESSAGE_LENGTH = 2000

/** Reads diagnostics, without duplicates and in order of position. */
export function readDiagnostics(items: readonly unknown[]): CodeDiagnostic[] {
  const found = items.slice(0, MAX_DIAGNOSTICS).map((item): CodeDiagnostic => {
    const { severity, message, range, code, source } = objectOf(item)
    const name = limitedText(source, 100)
    return {
      severity: SEVERITIES[(severity as number) - 1] ?? 'error',
      message:
        limitedText(message, MAX_MESSAGE_LENGTH) ??
        limitedText(objectOf(message)['value'], MAX_MESSAGE_LENGTH) ??
        '',
      span: readSpan(range),
      code:
        typeof code === 'string' || typeof code === 'number'
          ? String(code).slice(0, 100)
          : undefined,
      source: name || undefined,
    }
  })
  const distinct = new Map(found.map((each) => [JSON.stringify(each), each]))
  return [...distinct.values()].sort(
    (one, other) =>
      one.span.start.line - other.span.start.line ||
      one.span.start.character - other.span.start.character,
  )
}

/** Reads code actions and commands, without their edits. */
export function readActions(value: unknown): CodeAction[] {
  return listOf(value)
    .slice(0, 1000)
    .flatMap((item) => {
      const { title, kind, isPreferred, disabled } = objectOf(item)
      const [text, sort] = [limitedText(title, 200), limitedText(kind, 100)]
      if (text === undefined || disabled !== undefined) return []
      return { title: text, kind: sort || undefined, preferred: isPreferred === true }
    })
}

/** Further results are not even counted. */
const MAX_RESULTS = 10_000

/** Reads a location, a list of locations or location links. Skips those outside the file system. */
export function readLocations(value: unknown): CodeLocation[] {
  const all = Array.isArray(value) ? listOf(value) : value === null ? [] : [value]
  const found = all.slice(0, MAX_RESULTS).flatMap((each) => readLocation(each) ?? [])
  return distinctLocations(found)
}

/** Reads a location or a location link. */
function readLocation(value: unknown): CodeLocation | undefined {
  const { uri, range, targetUri, targetSelectionRange } = objectOf(value)
  const path = readPath(targetUri ?? uri)
  return path === undefined ? undefined : { path, span: readSpan(targetSelectionRange ?? range) }
}

/** The path of a file URI; undefined for other URIs, such as files in archives or on other machines. */
export function readPath(uri: unknown): string | undefined {
  if (typeof uri !== 'string' || !uri.startsWith('file:///')) return undefined
  try {
    const path = fileURLToPath(uri)
    return path.includes('\0') ? undefined : path
  } catch {
    // The URL contains an encoded slash or an invalid escape.
    return undefined
  }
}

/** Reads a range. */
function readSpan(value: unknown): CodeSpan {
  const { start, end } = objectOf(value)
  return { start: readPosition(start), end: readPosition(end ?? start) }
}

function readPosition(value: unknown): CodePosition {
  const { line, character } = objectOf(value)
  return { line: countOf(line), character: countOf(character) }
}

/** Several servers report the same location twice. */
function distinctLocations(locations: readonly CodeLocation[]): CodeLocation[] {
  const keyOf = ({ path, span: { start } }: CodeLocation): string =>
    `${start.line}:${start.character}:${path}`
  return [...new Map(locations.map((each) => [keyOf(each), each])).values()]
}

/** Symbol kinds in the order of the protocol, which counts from 1. */
const KINDS =
  `file module namespace package class method property field constructor enum interface function variable
  constant string number boolean array object key null enum-member struct event operator type-parameter`.split(
    /\s+/,
  )
const MAX_LENGTH = 200
const MAX_DEPTH = 32

/** Reads the symbols of a file, from a tree or a list. */
export function readSymbols(value: unknown, file: string): CodeSymbol[] {
  const found: CodeSymbol[] = []
  const walk = (items: readonly unknown[], depth: number): void => {
    for (const item of items) {
      if (found.length >= MAX_RESULTS) return
      const symbol = readSymbol(item, file)
      if (symbol) found.push({ ...symbol, depth })
      if (depth < MAX_DEPTH) walk(listOf(objectOf(item)['children']), depth + 1)
    }
  }
  walk(listOf(value), 0)
  return found
}

/** Reads symbols of any file. */
export function readSymbolsAnywhere(value: unknown): CodeSymbol[] {
  return listOf(value)
    .slice(0, MAX_RESULTS)
    .flatMap((item) => readSymbol(item) ?? [])
}

/** Reads a symbol in any of the four forms of the protocol. */
function readSymbol(value: unknown, file?: string): CodeSymbol | undefined {
  const { name, kind, detail, containerName, uri, location, range, selectionRange } =
    objectOf(value)
  const place = objectOf(location)
  const path = readPath(uri ?? place['uri']) ?? file
  const text = limitedText(name, MAX_LENGTH)
  if (path === undefined || text === undefined) return undefined
  const [more, container] = [
    limitedText(detail, MAX_LENGTH),
    limitedText(containerName, MAX_LENGTH),
  ]
  return {
    path,
    span: readSpan(selectionRange ?? range ?? place['range']),
    name: text,
    kind: KINDS[(kind as number) - 1] ?? 'symbol',
    detail: more || undefined,
    container: container || undefined,
  }
}

/** Reads incoming calls, each from the caller's file. */
export function readCallers(value: unknown): CodeCall[] {
  return readCalls(value, 'from').map(([symbol, spans]) => ({ symbol, path: symbol.path, spans }))
}

/** Reads outgoing calls, all from one file. */
export function readCallees(value: unknown, path: string): CodeCall[] {
  return readCalls(value, 'to').map(([symbol, spans]) => ({ symbol, path, spans }))
}

function readCalls(value: unknown, who: 'from' | 'to'): [CodeSymbol, CodeSpan[]][] {
  return listOf(value)
    .slice(0, MAX_RESULTS)
    .flatMap((each): [CodeSymbol, CodeSpan[]][] => {
      const { [who]: item, fromRanges } = objectOf(each)
      const symbol = readSymbol(item)
      return symbol
        ? [[symbol, distinctSpans(listOf(fromRanges).slice(0, MAX_RESULTS).map(readSpan))]]
        : []
    })
}

/** In `new Square().area()` two calls start at the same position. */
function distinctSpans(spans: readonly CodeSpan[]): CodeSpan[] {
  return [
    ...new Map(spans.map((span) => [`${span.start.line}:${span.start.character}`, span])).values(),
  ]
}

const MAX_HOVER_LENGTH = 10_000

/** Reads the contents of a hover as Markdown: a string, a code block, or a list of these. */
export function readHover(value: unknown): string {
  const { contents } = objectOf(value)
  const parts = (Array.isArray(contents) ? contents.slice(0, 100) : [contents]).map(readPart)
  return limitedText(parts.filter((part) => part !== '').join('\n\n'), MAX_HOVER_LENGTH) ?? ''
}

function readPart(part: unknown): string {
  if (typeof part === 'string') return part.trim()
  const { value, language } = objectOf(part)
  const text = typeof value === 'string' ? value.trim() : ''
  return typeof language === 'string' && text !== '' ? `\`\`\`${language}\n${text}\n\`\`\`` : text
}
