import { isObject } from '../../schema/resolve-schema.ts'
import type { Field } from './field.ts'

/** The path of a value: names in objects, indexes in lists. */
export type Path = readonly (string | number)[]

/** A path as a JSON Pointer. */
export function pointerOf(path: Path): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** The part of a value at a JSON Pointer; undefined if there is none. */
export function valueAt(value: unknown, pointer: string): unknown {
  let found = value
  for (const step of pointer.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    if ((!isObject(found) && !Array.isArray(found)) || !Object.hasOwn(found, name)) return undefined
    found = (found as Readonly<Record<string, unknown>>)[name]
  }
  return found
}

/** True if two values are the same JSON. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other) || one === other) return true
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((each, at) => isSame(each, other[at]))
  if (!isObject(one) || !isObject(other)) return false
  const names = Object.keys(one)
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSame(one[name], other[name]))
  )
}

/** An object with a property set, or removed if the value is undefined. The order is kept. */
export function withProperty(
  object: Readonly<Record<string, unknown>>,
  name: string,
  value: unknown,
): Record<string, unknown> {
  const entries = Object.entries(object)
  const at = entries.findIndex(([each]) => each === name)
  const next: [string, unknown][] = value === undefined ? [] : [[name, value]]
  // Not assigned, because `__proto__` must be an ordinary name.
  return Object.fromEntries(
    at < 0 ? [...entries, ...next] : [...entries.slice(0, at), ...next, ...entries.slice(at + 1)],
  )
}

/** An object with a property renamed. The order is kept. */
export function renamed(
  object: Readonly<Record<string, unknown>>,
  name: string,
  next: string,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(object).map(([each, value]) => [each === name ? next : each, value]),
  )
}

/** The initial value of a field that the user adds. */
export function startOf(field: Field): unknown {
  switch (field.kind) {
    case 'text':
      return ''
    case 'number':
      return Math.max(0, field.minimum ?? 0)
    case 'boolean':
      return false
    case 'fixed':
      return field.values[0]
    case 'object':
      return Object.fromEntries(
        field.properties.flatMap(({ name, field: { kind }, field: inner, isRequired }) =>
          isRequired && kind === 'fixed' && inner.kind === 'fixed' && inner.values.length === 1
            ? [[name, inner.values[0]]]
            : [],
        ),
      )
    case 'list':
      return []
    case 'choice':
      return startOf(field.choices[0]!)
    case 'any':
      return null
  }
}
