import type { Schema } from '../protocol.ts'
import { duplicateKeyIn } from '../json/text.ts'
import { type TryRepair, readLoosely } from '../json/read.ts'
import { WORDS } from '../python/print.ts'
import { coerceText, coerceValue, type NoteChange, refusesText } from './coerce.ts'
import { typesOf } from './types.ts'

/** The format of a value: text, JSON, or according to the schema. */
export type Kind = 'text' | 'json' | 'schema'

/**
 * The interpretation of a value without a known type: as text; as JSON if it is valid; or as JSON
 * only if it is a scalar.
 */
export type Untyped = 'text' | 'json' | 'scalar'

/** True if every value of this type is text, regardless of its content. */
export function isText(
  kind: Kind,
  untyped: Untyped,
  schema: unknown,
  root: Schema | undefined,
): boolean {
  const types = root && typesOf(schema, root)
  if (kind === 'text') return !(root && refusesText(schema, root))
  if (kind === 'json') return false
  return types ? types.size === 1 && types.has('string') : untyped === 'text'
}

/**
 * Converts a string to a value. `note` is called if it was converted or does not match the schema;
 * `noteChange`, for each changed key in it.
 */
export function readTextValue(
  text: string,
  kind: Kind,
  schema: unknown,
  root: Schema | undefined,
  {
    untyped = 'json',
    tryRepair = () => true,
    noteChange,
  }: { untyped?: Untyped; tryRepair?: TryRepair; noteChange?: NoteChange } = {},
): { value: unknown; note?: 'mistyped' | 'coerced' } {
  if (root && typesOf(schema, root)) {
    const typed = coerceText(text, schema, root, tryRepair, noteChange)
    if (typed)
      return typed.changed ? { value: typed.value, note: 'coerced' } : { value: typed.value }
    const inner = WRAPPED.exec(text)?.[1]
    const unwrapped = inner === undefined ? undefined : coerceText(inner, schema, root)
    if (unwrapped && tryRepair('wrapped-value')) return { value: unwrapped.value }
    return { value: kind === 'json' ? guess(text, tryRepair) : text, note: 'mistyped' }
  }
  const value =
    untyped === 'scalar' && kind !== 'json' && /^\s*["'[{(]/.test(text)
      ? text
      : guess(text, tryRepair)
  const changed = root ? coerceValue(value, schema, root, noteChange) : value
  return changed === value ? { value } : { value: changed, note: 'coerced' }
}

/** A value inside a superfluous tag, where the schema allows no text. */
const WRAPPED = /^\s*<value>([^<]*)<\/value>\s*$/

/** The value of a JSON or Python literal; otherwise the text itself. */
function guess(text: string, tryRepair: TryRepair): unknown {
  const trimmed = text.trim()
  const json = WORDS.get(trimmed) ?? (/^[-0-9"'[{(]/.test(trimmed) ? trimmed : undefined)
  if (json === undefined) return text
  try {
    const value: unknown = JSON.parse(json)
    return duplicateKeyIn(json) === undefined ? value : text
  } catch {
    // It is not JSON: maybe Python, or text that only begins like a literal.
    return /^["'[{(]/.test(trimmed)
      ? (readLoosely(trimmed, tryRepair) ?? { value: text }).value
      : text
  }
}
