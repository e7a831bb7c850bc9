import type { Interpreter } from './interpreter.ts'
import { quoted } from './problems.ts'
import { unknownName } from './unknown-name.ts'
import { isPlain } from './shapes.ts'
import type { Node } from './syntax.ts'
import { ENDED, FAILED, REFUSED } from './values.ts'

/** The supported methods of lists and strings. */
export const LIST_METHODS: readonly string[] = ['map', 'flatMap', 'filter', 'join', 'slice']
export const TEXT_METHODS: readonly string[] = [
  ...['trim', 'trimStart', 'trimEnd', 'slice', 'toUpperCase', 'toLowerCase'],
]

/** Objects with a fixed set of members and a description. Any other member is a mistake. */
const closed = new WeakMap<object, { readonly what: string; readonly keys: readonly string[] }>()

/** Declares that an object has only these members. `what` describes it in messages. */
export function close<T extends object>(value: T, what: string, keys: readonly string[]): T {
  closed.set(value, { what, keys })
  return value
}

/** The value of a member. */
export function memberOf(
  interpreter: Interpreter,
  { of, name, optional }: Pick<Node & { type: 'member' }, 'of' | 'name' | 'optional'>,
  value: unknown,
  key: unknown,
): unknown {
  if (value === FAILED || key === FAILED) return FAILED
  if (optional && (value === undefined || value === null)) return ENDED
  const isList = Array.isArray(value)
  if (isList && typeof key === 'number') return value[key]
  if (typeof key !== 'string') return interpreter.fail('This must be the name of a member.', name)
  if (REFUSED.has(key)) return interpreter.fail(refusal(key), name)
  if (isList || typeof value === 'string') {
    if (key === 'length') return value.length
    const methods = isList ? LIST_METHODS : TEXT_METHODS
    if (methods.includes(key))
      return interpreter.fail(`Call this method: ${quoted(`.${key}(…)`)}.`, name)
    return interpreter.fail(noMethod(key, isList), name)
  }
  if (!isPlain(value))
    return interpreter.fail(`${what(value)} has no members, so it has no ${quoted(key)}.`, of)
  const known = closed.get(value)
  if (known && !known.keys.includes(key))
    return interpreter.fail(() => unknownName(key, `a member of ${known.what}`, known.keys), name)
  if (Object.hasOwn(value, key)) return value[key]
  return key in Object.prototype ? interpreter.fail(refusal(key), name) : undefined
}

/** A message that lists the available methods in place of an unknown one. */
export function noMethod(key: string, isList: boolean): string {
  const [what, methods] = isList
    ? ['a supported method of lists', LIST_METHODS]
    : ['a supported method of strings', TEXT_METHODS]
  return unknownName(key, what, [...methods, 'length'])
}

function refusal(key: string): string {
  return `${quoted(key)} is not allowed in a protocol file.`
}

function what(value: unknown): string {
  if (value === undefined || value === null) return quoted(String(value))
  return typeof value === 'object' ? 'This' : `A ${typeof value}`
}
