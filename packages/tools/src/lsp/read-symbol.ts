import type { CodeCall, CodeSpan, CodeSymbol } from '../host/language.ts'
import { MAX_RESULTS, readPath, readSpan } from './read-location.ts'
import { listOf, objectOf, limitedText } from './untyped.ts'

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
export function readSymbol(value: unknown, file?: string): CodeSymbol | undefined {
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
