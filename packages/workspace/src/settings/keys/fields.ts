import type { RuleScope } from '@toolglot/permissions'
import { describe, type Item, type Plain, show } from '../item.ts'
import { objectSchema, type SettingSchema, TEXT, type SettingsKey } from './key.ts'

/** Reports what is invalid, with its line. */
export type Wrong = (line: number, reason: string) => void

/** One member of an object in the settings. */
export interface Field {
  /** A description of valid values, for messages: `a string`. */
  readonly expected: string
  readonly schema: SettingSchema
  /** The value; undefined if it is invalid, or if `wrong` was told why. */
  read(item: Item, wrong: Wrong): unknown
}

/** A field with its description for editors. */
export function about(description: string, field: Field): Field {
  return { ...field, schema: { description, ...field.schema } }
}

/**
 * Reads an object with known members. Each invalid, unknown or duplicate member is reported and left out; of a duplicate,
 * the first counts. Returns undefined if it is not an object.
 */
export function readFields<Name extends string>(
  item: Item,
  where: string,
  fields: Readonly<Record<Name, Field>>,
  wrong: Wrong,
): Partial<Record<Name, unknown>> | undefined {
  if (item.kind !== 'map') {
    wrong(item.line, `expected an object in "${where}", got ${describe(item)}`)
    return undefined
  }
  const found = new Map<string, unknown>()
  const known = new Map(Object.entries<Field>(fields))
  const seen = new Set<string>()
  for (const { key, line, item: value } of item.entries) {
    const field = known.get(key)
    if (!field) wrong(line, `"${where}" has no ${show(key)}, only ${[...known.keys()].join(', ')}`)
    else if (seen.has(key)) wrong(line, `"${key}" is a duplicate key`)
    else {
      let isReported = false
      const read = field.read(value, (at, reason) => {
        isReported = true
        wrong(at, reason)
      })
      if (read !== undefined) found.set(key, read)
      else if (!isReported)
        wrong(value.line, `expected ${field.expected} in "${key}", got ${describe(value)}`)
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

/** A member that is true or false. */
export const flagField: Field = plainField(
  'true or false',
  { type: 'boolean' },
  (value) => typeof value === 'boolean',
)

/** A member that is a string, not only of whitespace. */
export const textField: Field = plainField(
  'a string',
  TEXT,
  (value) => typeof value === 'string' && value.trim() !== '',
)

/** A member that is a string which matches a pattern as a whole. */
export function patternField(expected: string, pattern: RegExp): Field {
  return plainField(
    expected,
    { type: 'string', pattern: pattern.source },
    (value) => typeof value === 'string' && pattern.test(value),
  )
}

/** A member that is one of some words. */
export function wordField(...words: readonly [string, string, ...string[]]): Field {
  const shown = words.map((word) => `"${word}"`)
  return plainField(
    `${shown.slice(0, -1).join(', ')} or ${shown.at(-1)}`,
    { enum: words },
    (value) => words.some((word) => word === value),
  )
}

/** A member that is an integer in a range. */
export function integerField(least: number, most: number = Number.MAX_SAFE_INTEGER): Field {
  const isOpen = most === Number.MAX_SAFE_INTEGER
  return plainField(
    `an integer from ${least}${isOpen ? '' : ` to ${most}`}`,
    { type: 'integer', minimum: least, ...(!isOpen && { maximum: most }) },
    (value) => Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most,
  )
}

/** A member that is a number in a range. */
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
      // The field checked it.
      if (value !== undefined) return value as Value
      wrong(item.line, `expected ${field.expected} in "${key}", got ${describe(item)}`)
      return undefined
    },
  }
}

/** A name or an address as clients send it in `Host`, with or without a port, in lower case; undefined if it is not exactly one. */
export function hostName(text: string): string | undefined {
  const host = text.toLowerCase()
  if (!/^([a-z0-9.-]+|\[[0-9a-f:.]+\])(:\d+)?$/.test(host)) return undefined
  if (!URL.canParse(`http://${host}`)) return undefined
  const url = new URL(`http://${host}`)
  // Pages elsewhere can reach this machine by these: nobody else uses them as a name.
  if (url.hostname === '0.0.0.0' || url.hostname === '[::]') return undefined
  // The default port would be left out of a URL's host.
  return url.host === host.replace(/:80$/, '') ? host : undefined
}

/** The origin of a page, such as `https://page.example.com`; undefined if it is not exactly one. */
export function originName(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { origin, protocol } = new URL(text)
  return origin === text && (protocol === 'https:' || protocol === 'http:') ? origin : undefined
}
