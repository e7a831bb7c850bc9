import { brokenRule } from '@toolglot/permissions/errors/internal'

/**
 * A value in a settings file with its line, counting from 1. A map is a list of entries, so that
 * duplicate keys are preserved.
 */
export type Item =
  | { readonly kind: 'map'; readonly line: number; readonly entries: readonly Entry[] }
  | { readonly kind: 'list'; readonly line: number; readonly items: readonly Item[] }
  | { readonly kind: 'plain'; readonly line: number; readonly value: Plain }

export interface Entry {
  readonly key: string
  readonly line: number
  readonly item: Item
}

export type Plain = string | number | boolean | null

/** A syntax error with its line. */
export interface Fault {
  readonly line: number
  readonly reason: string
}

/** A parsed text. If there are syntax errors, it may be incomplete. */
export interface Outline {
  readonly root?: Item
  readonly faults: readonly Fault[]
}

/** Describes a value briefly. */
export function describe(item: Item): string {
  if (item.kind === 'map') return 'an object'
  if (item.kind === 'list') return 'a list'
  return item.value === null ? 'null' : show(item.value)
}

/** The message for an invalid value: `"port" must be an integer, not "x"`. */
export function mustBe(key: string, rule: string, item: Item): string {
  return brokenRule(show(key), rule, describe(item)).slice(0, -'.'.length)
}

/** The message for a key that an object does not support. */
export function unknownKey(key: string, where: string, known: Iterable<string>): string {
  return `unknown key ${show(key)} in ${where}. Known keys: ${[...known].join(', ')}`
}

export function show(value: string | number | boolean): string {
  return JSON.stringify(
    typeof value === 'string' && value.length > 40 ? `${value.slice(0, 40)}…` : value,
  )
}

/** The maximum nesting. Settings are two or three levels deep. */
export const MAX_DEPTH = 64

/**
 * The maximum number of values, keys, brackets and commas. With more, changing a value would take
 * minutes.
 */
export const MAX_TOKENS = 50_000
