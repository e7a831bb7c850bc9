import { isObject } from '../../schema/is-object.ts'

/** Whether two values are the same JSON. */
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
