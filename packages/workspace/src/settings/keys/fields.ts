import { describe, type Item, type Plain, show } from '../item.ts'

/** Reports what is invalid, with its line. */
export type Wrong = (line: number, reason: string) => void

/** One member of an object in the settings. */
export interface Field {
  /** What is valid, for messages: `a string`. */
  readonly expected: string
  /** The value; undefined if it is invalid, or if `wrong` was told why. */
  read(item: Item, wrong: Wrong): unknown
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

/** A member whose value is neither a list nor an object. */
export function plainField(expected: string, isValid: (value: Plain) => boolean): Field {
  return {
    expected,
    read: (item) => (item.kind === 'plain' && isValid(item.value) ? item.value : undefined),
  }
}

/** A member that is true or false. */
export const flagField: Field = plainField('true or false', (value) => typeof value === 'boolean')

/** A member that is an integer in a range. */
export function integerField(least: number, most: number = Number.MAX_SAFE_INTEGER): Field {
  const range = most === Number.MAX_SAFE_INTEGER ? `from ${least}` : `from ${least} to ${most}`
  return plainField(
    `an integer ${range}`,
    (value) => Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most,
  )
}

/** A member that is a number in a range. */
export function numberField(least: number, most: number): Field {
  return plainField(
    `a number from ${least} to ${most}`,
    (value) => typeof value === 'number' && value >= least && value <= most,
  )
}
