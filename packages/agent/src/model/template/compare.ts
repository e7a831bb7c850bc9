import type { Budget } from './budget.ts'
import { TemplateError } from './template-error.ts'
import { asNumber, keyOf, sizeOf, typeName, type Value } from './value.ts'

/** Whether Python's `==` holds. */
export function isEqual(left: Value, right: Value, budget: Budget): boolean {
  if (typeof left === 'string' && typeof right === 'string') {
    if (left.length === right.length) budget.spend(left.length)
    return left === right
  }
  if (left === right) return true
  const a = asNumber(left)
  if (a !== undefined) return a === asNumber(right)
  if (Array.isArray(left) && Array.isArray(right)) {
    if (left.length !== right.length) return false
    budget.items(left.length)
    return budget.nested(() => left.every((item, index) => isEqual(item, right[index], budget)))
  }
  if (left instanceof Map && right instanceof Map) {
    if (left.size !== right.size) return false
    budget.items(left.size)
    return budget.nested(() =>
      [...left].every(([key, item]) => right.has(key) && isEqual(item, right.get(key), budget)),
    )
  }
  return false
}

/** Negative if `left` comes before `right`; Python refuses to compare values of different types. */
export function order(left: Value, right: Value, budget: Budget): number {
  const a = asNumber(left)
  const b = asNumber(right)
  budget.items(1)
  if (a !== undefined && b !== undefined) return a - b
  if (typeof left === 'string' && typeof right === 'string') {
    budget.spend(Math.min(left.length, right.length))
    if (left === right) return 0
    return left < right ? -1 : 1
  }
  if (Array.isArray(left) && Array.isArray(right)) {
    const length = Math.min(left.length, right.length)
    budget.items(length)
    for (let index = 0; index < length; index += 1) {
      const difference = budget.nested(() => order(left[index], right[index], budget))
      if (difference !== 0) return difference
    }
    return left.length - right.length
  }
  throw new TemplateError(`${typeName(left)} and ${typeName(right)} cannot be compared`)
}

/** Whether Python's `item in container` holds. */
export function contains(container: Value, item: Value, budget: Budget): boolean {
  budget.spend(sizeOf(container))
  if (container === undefined) return false
  if (typeof container === 'string') {
    // An undefined value is never part of a text.
    if (item === undefined) return false
    if (typeof item !== 'string')
      throw new TemplateError(`only text can be in a text, not ${typeName(item)}`)
    return container.includes(item)
  }
  if (Array.isArray(container)) return container.some((each) => isEqual(each, item, budget))
  if (container instanceof Map) return item !== undefined && container.has(keyOf(item))
  throw new TemplateError(`${typeName(container)} has no members to look for`)
}
