import { fileURLToPath } from 'node:url'
import type { CodeLocation, CodePosition, CodeSpan } from '../host/language.ts'
import { countOf, listOf, objectOf } from './untyped.ts'

/** Further results are not even counted. */
export const MAX_RESULTS = 10_000

/** Reads a location, a list of locations or location links. Skips those outside the file system. */
export function readLocations(value: unknown): CodeLocation[] {
  const all = Array.isArray(value) ? listOf(value) : value === null ? [] : [value]
  const found = all.slice(0, MAX_RESULTS).flatMap((each) => readLocation(each) ?? [])
  return distinctLocations(found)
}

/** Reads a location or a location link. */
export function readLocation(value: unknown): CodeLocation | undefined {
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
    // An encoded slash, a broken escape.
    return undefined
  }
}

/** Reads a range. */
export function readSpan(value: unknown): CodeSpan {
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
