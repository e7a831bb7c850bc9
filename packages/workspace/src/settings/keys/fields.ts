import type { RuleScope } from '@toolglot/permissions'
import { type Item, mustBe, type Plain, unknownKey } from '../item.ts'
import { objectSchema, type SettingSchema, TEXT, type SettingsKey } from './key.ts'

/** Reports an invalid value with its line. */
export type Wrong = (line: number, reason: string) => void

/** A member of an object in the settings. */
export interface Field {
  /** Describes valid values in messages, such as `a string`. */
  readonly expected: string
  readonly schema: SettingSchema
  /** Returns the value. Undefined if it is invalid, or if `wrong` was called with the reason. */
  read(item: Item, wrong: Wrong): unknown
}

/** Adds a description for editors to a field. */
export function about(description: string, field: Field): Field {
  return { ...field, schema: { description, ...field.schema } }
}

/**
 * Reads an object with known members. Invalid, unknown and duplicate members are reported and left
 * out; of duplicates, the first one counts. Returns undefined if the value is not an object.
 */
export function readFields<Name extends string>(
  item: Item,
  where: string,
  fields: Readonly<Record<Name, Field>>,
  wrong: Wrong,
): Partial<Record<Name, unknown>> | undefined {
  if (item.kind !== 'map') {
    wrong(item.line, mustBe(where, 'an object', item))
    return undefined
  }
  const found = new Map<string, unknown>()
  const known = new Map(Object.entries<Field>(fields))
  const seen = new Set<string>()
  for (const { key, line, item: value } of item.entries) {
    const field = known.get(key)
    if (!field) wrong(line, unknownKey(key, `"${where}"`, known.keys()))
    else if (seen.has(key)) wrong(line, `"${key}" is a duplicate key`)
    else {
      let isReported = false
      const read = field.read(value, (at, reason) => {
        isReported = true
        wrong(at, reason)
      })
      if (read !== undefined) found.set(key, read)
      else if (!isReported) wrong(value.line, mustBe(key, field.expected, value))
    }
    seen.add(key)
  }
  return Object.fromEntries(found) as Partial<Record<Name, unknown>>
}

/** The schema of an object with these members. */
export function fieldsSchema(
  fields: Readonly<Record<string, Field>>,
  rest?: SettingSchema,
): SettingSchema {
  const properties = Object.entries(fields).map(([name, { schema }]) => [name, schema] as const)
  return objectSchema(Object.fromEntries(properties), rest)
}

/** A member whose value is neither a list nor an object. */
export function plainField(
  expected: string,
  schema: SettingSchema,
  isValid: (value: Plain) => boolean,
): Field {
  return {
    expected,
    schema,
    read: (item) => (item.kind === 'plain' && isValid(item.value) ? item.value : undefined),
  }
}

/** A boolean member. */
export const flagField: Field = plainField(
  'true or false',
  { type: 'boolean' },
  (value) => typeof value === 'boolean',
)

/** A string member that contains more than white space. */
export const textField: Field = plainField(
  'a string',
  TEXT,
  (value) => typeof value === 'string' && value.trim() !== '',
)

/** A string member that matches a pattern completely. */
export function patternField(expected: string, pattern: RegExp): Field {
  return plainField(
    expected,
    { type: 'string', pattern: pattern.source },
    (value) => typeof value === 'string' && pattern.test(value),
  )
}

/** A member whose value is one of several words. */
export function wordField(...words: readonly [string, string, ...string[]]): Field {
  const shown = words.map((word) => `"${word}"`)
  return plainField(
    `${shown.slice(0, -1).join(', ')} or ${shown.at(-1)}`,
    { enum: words },
    (value) => words.some((word) => word === value),
  )
}

/** An integer member within a range. */
export function integerField(least: number, most: number = Number.MAX_SAFE_INTEGER): Field {
  const isOpen = most === Number.MAX_SAFE_INTEGER
  return plainField(
    isOpen ? `an integer of at least ${least}` : `an integer from ${least} to ${most}`,
    { type: 'integer', minimum: least, ...(!isOpen && { maximum: most }) },
    (value) => Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most,
  )
}

/** A numeric member within a range. */
export function numberField(least: number, most: number): Field {
  return plainField(
    `a number from ${least} to ${most}`,
    { type: 'number', minimum: least, maximum: most },
    (value) => typeof value === 'number' && value >= least && value <= most,
  )
}

/** A key whose value is neither a list nor an object. */
export function plainKey<Value>(
  key: string,
  field: Field,
  scopes?: readonly RuleScope[],
): SettingsKey<Value> {
  return {
    key,
    schema: field.schema,
    ...(scopes && { scopes }),
    read(item, wrong) {
      const value = field.read(item, wrong)
      // Checked by the field.
      if (value !== undefined) return value as Value
      wrong(item.line, mustBe(key, field.expected, item))
      return undefined
    },
  }
}

/**
 * A host name or address in the form sent by clients in `Host`, with an optional port, in lower
 * case. Undefined if the text is invalid.
 */
export function hostName(text: string): string | undefined {
  const host = text.toLowerCase()
  if (!/^([a-z0-9.-]+|\[[0-9a-f:.]+\])(:\d+)?$/.test(host)) return undefined
  if (!URL.canParse(`http://${host}`)) return undefined
  const url = new URL(`http://${host}`)
  // Pages on other hosts can reach this machine through these addresses, and they are not used as
  // host names.
  if (url.hostname === '0.0.0.0' || url.hostname === '[::]') return undefined
  // A URL's host omits the default port.
  return url.host === host.replace(/:80$/, '') ? host : undefined
}

/** The origin of a page, such as `https://page.example.com`. Undefined if the text is invalid. */
export function originName(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { origin, protocol } = new URL(text)
  return origin === text && (protocol === 'https:' || protocol === 'http:') ? origin : undefined
}
