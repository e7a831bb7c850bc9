import { isObject } from '@toolglot/agent/internal'
import { GatewayError } from './gateway-error.ts'

/** An object in a request. Its fields have not been checked yet. */
export type Fields = Readonly<Record<string, unknown>>

/** The error for an invalid parameter. */
export function invalid(parameter: string, expected: string, value: unknown): GatewayError {
  const wanted = `${parameter} must be ${expected}`
  const got = describe(value)
  const message = expected.startsWith(got) ? `${wanted}.` : `${wanted}, not ${got}.`
  return new GatewayError(400, 'invalid_request', message, { parameter, summary: `${wanted}.` })
}

/** The error for an unsupported feature. It contains no text from the request. */
export function refused(parameter: string, what: string, advice: string): GatewayError {
  const message = `The gateway does not support ${what}: ${advice}.`
  return new GatewayError(400, 'unsupported', message, { parameter, summary: message })
}

/** Returns the value if it is a string. */
export function expectText(parameter: string, value: unknown): string {
  if (typeof value !== 'string') throw invalid(parameter, 'a string', value)
  return value
}

/** Returns the value if it is a boolean. */
export function expectFlag(parameter: string, value: unknown): boolean {
  if (typeof value !== 'boolean') throw invalid(parameter, 'true or false', value)
  return value
}

/** Returns the value if it is a number in this range. */
export function expectNumber(
  parameter: string,
  value: unknown,
  [least, most]: readonly [least: number, most: number],
): number {
  if (typeof value === 'number' && value >= least && value <= most) return value
  const range = most === Infinity ? `of at least ${least}` : `from ${least} to ${most}`
  throw invalid(parameter, `a number ${range}`, value)
}

/** Returns the value if it is an integer in this range. */
export function expectInteger(
  parameter: string,
  value: unknown,
  range: readonly [least: number, most: number],
): number {
  const found = expectNumber(parameter, value, range)
  if (!Number.isSafeInteger(found)) throw invalid(parameter, 'a whole number', value)
  return found
}

/** Returns the value if it is one of the choices. */
export function expectOneOf<const Choice extends string>(
  parameter: string,
  value: unknown,
  choices: readonly Choice[],
): Choice {
  const found = choices.find((choice) => choice === value)
  if (found === undefined) throw invalid(parameter, choices.join(' or '), value)
  return found
}

/** Returns the value if it is an object. */
export function expectObject(parameter: string, value: unknown): Fields {
  if (!isObject(value)) throw invalid(parameter, 'an object', value)
  return value
}

/** Returns the value if it is a list within the maximum length. */
export function expectList(parameter: string, value: unknown, most: number): readonly unknown[] {
  if (!Array.isArray(value)) throw invalid(parameter, 'a list', value)
  if (value.length > most)
    throw invalid(parameter, `a list of at most ${most}`, `${value.length} items`)
  return value
}

/** A value for an error message, shortened to one line. */
function describe(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (isObject(value)) return 'an object'
  const text = JSON.stringify(value) ?? typeof value
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
