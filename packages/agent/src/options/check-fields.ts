// Folder: Checks of options that callers pass.
import { editDistance, nearest } from '@toolglot/permissions/internal'
import { describeValue } from '../tool/describe-value.ts'
import { isObject } from '../tool/json-schema.ts'
import type { FieldRules, Rule } from './rule.ts'

/** Options of `checkFields`. */
export interface FieldOptions {
  /** Advice for keys without a rule, such as those that go elsewhere. */
  readonly advice?: Readonly<Record<string, string>>
  /** Whether other keys are tolerated, except for those that are nearly a known one. Default: false. */
  readonly open?: boolean
  /** Whether messages about a value also name the object. Default: if it is open. */
  readonly named?: boolean
}

/**
 * Throws a TypeError unless an object follows the rules: no unknown or misspelt keys, no wrong values, none missing.
 * `what` names the object in the message.
 */
export function checkFields(
  what: string,
  given: unknown,
  rules: FieldRules,
  { advice = {}, open = false, named = open }: FieldOptions = {},
): void {
  if (!isObject(given))
    throw new TypeError(`Expected ${what} to be an object, got ${describeValue(given)}.`)
  for (const key of Object.keys(given)) {
    if (Object.hasOwn(rules, key)) continue
    const problem = unknownKey(key, Object.keys(rules), advice, open)
    if (problem !== undefined)
      throw new TypeError(`Unknown key ${describeValue(key)} in ${what}. ${problem}`)
  }
  for (const [key, rule] of Object.entries(rules)) {
    const value = given[key]
    const where = named ? `${key} of ${what}` : key
    if (!isAccepted(rule, value, Object.hasOwn(given, key)))
      throw new TypeError(`Expected ${where} to be ${rule.expected}, got ${describeValue(value)}.`)
    if (rule.fields && isObject(value)) checkFields(where, value, rule.fields, { named })
  }
}

function isAccepted({ test, presence }: Rule, value: unknown, isThere: boolean): boolean {
  if (value !== undefined) return test(value)
  return presence === undefined || (presence === 'defined' && !isThere)
}

/** Advice for an unknown key; undefined if the key is tolerated. */
function unknownKey(
  key: string,
  known: readonly string[],
  advice: Readonly<Record<string, string>>,
  open: boolean,
): string | undefined {
  if (Object.hasOwn(advice, key)) return advice[key]
  if (open) {
    const meant = known.find((name) => isNearly(key, name))
    return meant && `Did you mean ${meant}?`
  }
  const [close] = nearest(key, [...known, ...Object.keys(advice)])
  if (close === undefined) return `Known keys: ${known.join(', ')}.`
  return [`Did you mean ${close}?`, Object.hasOwn(advice, close) && advice[close]]
    .filter(Boolean)
    .join(' ')
}

/** Stricter than `nearest`, because other keys are tolerated. */
function isNearly(key: string, name: string): boolean {
  const [one, other] = [fold(key), fold(name)]
  return one === other || (other.length > MIN_MISSPELT && editDistance(one, other) === 1)
}

/** Shorter keys can be different words with one letter changed. */
const MIN_MISSPELT = 4

/** `read_only`, `readonly` and `read-only` are the same. */
function fold(key: string): string {
  return key.slice(0, MAX_KEY).replaceAll(/[_-]/g, '').toLowerCase()
}

const MAX_KEY = 64
