import { isObject } from '../tool/json-schema.ts'

/** The value if it is an object other than an array, or else undefined. */
export function asObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return isObject(value) ? value : undefined
}
