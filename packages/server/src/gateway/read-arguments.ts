import { isObject } from '@toolglot/agent/internal'
import { expectText, type Fields } from './expect.ts'
import { isDeeperThan } from './json-depth.ts'

/** How deep arrays and objects are nested in arguments at most. */
const MAX_DEPTH = 64

/** Arguments are JSON in a string. What another model wrote may not be JSON: it is kept as a text. */
export function readArguments(where: string, value: unknown): Fields {
  if (isObject(value)) return value
  const text = value === undefined || value === null ? '' : expectText(where, value)
  if (text.trim() === '') return {}
  // The depth of the body says nothing about JSON in a string.
  if (isDeeperThan(MAX_DEPTH, new TextEncoder().encode(text))) return { arguments: text }
  try {
    const args: unknown = JSON.parse(text)
    if (isObject(args)) return args
  } catch {
    // Not JSON.
  }
  return { arguments: text }
}
