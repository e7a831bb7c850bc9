import { isObject } from '@toolglot/agent/internal'
import { expectText, type Fields } from './expect.ts'

/** Arguments are JSON in a string. What another model wrote may not be JSON: it is kept as a text. */
export function readArguments(where: string, value: unknown): Fields {
  if (isObject(value)) return value
  const text = value === undefined || value === null ? '' : expectText(where, value)
  if (text.trim() === '') return {}
  try {
    const args: unknown = JSON.parse(text)
    if (isObject(args)) return args
  } catch {
    // Not JSON.
  }
  return { arguments: text }
}
