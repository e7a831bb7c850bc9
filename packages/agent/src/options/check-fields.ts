// Folder: Checks of options that callers pass.
import { describeValue, mustBe } from '@toolglot/permissions/errors/internal'
import { editDistance, nearest } from '@toolglot/permissions/internal'
import { isObject } from '../tool/json-schema.ts'
import type { FieldRules, Rule } from './rule.ts'

/** Options for `checkFields`. */
export interface FieldOptions {
  /** Advice for certain unknown keys, such as the right place for them. */
  readonly advice?: Readonly<Record<string, string>>
  /** Allow unknown keys, unless they resemble a known one. Default: false. */
  readonly open?: boolean
  /** Name the object in messages about a value. Default: the value of `open`. */
  readonly named?: boolean
}

/**
 * Throws a TypeError unless an object follows the rules: unknown, misspelled and missing keys and
 * invalid values are errors. `what` names the object in the message.
 */
export function checkFields(
  what: string,
  given: unknown,
  rules: FieldRules,
  { advice = {}, open = false, named = open }: FieldOptions = {},
): void {
  if (!isObject(given)) throw new TypeError(mustBe(what, 'an object', given))
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
      throw new TypeError(mustBe(where, rule.expected, value))
    if (rule.fields && isObject(value)) checkFields(where, value, rule.fields, { named })
  }
}

function isAccepted({ test, presence }: Rule, value: unknown, isThere: boolean): boolean {
  if (value !== undefined) return test(value)
  return presence === undefined || (presence === 'defined' && !isThere)
}

/** Advice for an unknown key, or undefined if the key is allowed. */
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

/** Stricter than `nearest`, because other unknown keys are allowed. */
function isNearly(key: string, name: string): boolean {
  const [one, other] = [fold(key), fold(name)]
  return one === other || (other.length > MIN_MISSPELT && editDistance(one, other) === 1)
}

/**
 * The minimum length of a misspelled key: shorter keys can differ in one letter and still be
 * different words.
 */
const MIN_MISSPELT = 4

/** Normalizes a key: `read_only`, `readonly` and `read-only` are equal. */
function fold(key: string): string {
  return key.slice(0, MAX_KEY).replaceAll(/[_-]/g, '').toLowerCase()
}

const MAX_KEY = 64
