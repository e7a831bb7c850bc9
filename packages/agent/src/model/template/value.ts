import { ITEM, type Budget } from './budget.ts'
import { TemplateError } from './template-error.ts'

/**
 * A value in a template, like in Python: `undefined` is Jinja's undefined, `null` is None, an array
 * is a list, a Map is a dictionary. A whole number is an integer; a float with a whole value is a
 * Float.
 */
export type Value =
  | undefined
  | null
  | boolean
  | number
  | string
  | Float
  | Value[]
  | Dictionary
  | Namespace
  | Callable

export type Dictionary = Map<Key, Value>

/** A key of a dictionary. */
export type Key = string | number | boolean | null

/** A float with a whole value, such as 2.0. */
export class Float {
  readonly value: number

  constructor(value: number) {
    this.value = value
  }
}

/** A list that is printed in parentheses and never changes. Operations on it return lists. */
export class Tuple extends Array<Value> {
  static override get [Symbol.species](): ArrayConstructor {
    return Array
  }
}

export function makeTuple(items: Iterable<Value>): Tuple {
  const tuple = new Tuple()
  for (const item of items) tuple.push(item)
  return tuple
}

/** The result of `namespace()`: fields that a template can assign to. Also used for `loop`. */
export class Namespace {
  readonly fields: Map<string, Value>

  constructor(fields: Iterable<readonly [string, Value]>) {
    this.fields = new Map(fields)
  }
}

/** The arguments of a call. */
export interface Arguments {
  readonly positional: readonly Value[]
  readonly named: ReadonlyMap<string, Value>
}

/** A macro, a method or a function. */
export class Callable {
  readonly name: string
  readonly call: (given: Arguments) => Value

  constructor(name: string, call: (given: Arguments) => Value) {
    this.name = name
    this.call = call
  }
}

/** An argument by position or by name. */
export function argument({ positional, named }: Arguments, index: number, name: string): Value {
  return index < positional.length ? positional[index] : named.get(name)
}

/** Converts JSON data to a value. */
export function toValue(data: unknown, depth = 0): Value {
  if (depth > 200) throw new TemplateError('the messages are nested more than 200 deep')
  switch (typeof data) {
    case 'string':
    case 'boolean':
      return data
    case 'number':
      return Number.isFinite(data) ? data : null
    case 'object': {
      if (data === null) return null
      if (Array.isArray(data)) return data.map((each) => toValue(each, depth + 1))
      const entries = Object.entries(data).filter(([, value]) => value !== undefined)
      return new Map(entries.map(([key, value]) => [key, toValue(value, depth + 1)]))
    }
    default:
      return undefined
  }
}

/** True if Python treats the value as true. */
export function isTruthy(value: Value): boolean {
  if (Array.isArray(value)) return value.length > 0
  if (value instanceof Map) return value.size > 0
  if (value instanceof Float) return value.value !== 0
  return Boolean(value)
}

/** Python's name for the type of a value. */
export function typeName(value: Value): string {
  if (value === undefined) return 'undefined'
  if (value === null) return 'None'
  if (value instanceof Tuple) return 'tuple'
  if (Array.isArray(value)) return 'list'
  if (value instanceof Map) return 'dict'
  if (value instanceof Namespace) return 'namespace'
  if (value instanceof Callable) return 'function'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'string') return 'str'
  return isFloat(value) ? 'float' : 'int'
}

export function isFloat(value: Value): value is number | Float {
  return value instanceof Float || (typeof value === 'number' && !Number.isInteger(value))
}

/** The number that a value represents. As in Python, this includes booleans. */
export function asNumber(value: Value): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return Number(value)
  return value instanceof Float ? value.value : undefined
}

export function makeFloat(value: number): number | Float {
  return Number.isInteger(value) ? new Float(value) : value
}

/** Converts an argument to a whole number. */
export function wholeNumber(value: Value, what: string): number {
  const number = isFloat(value) ? undefined : asNumber(value)
  if (number === undefined)
    throw new TemplateError(`${what} must be a whole number, not ${typeName(value)}`)
  return number
}

/** Converts an argument to a string. */
export function textOf(value: Value, what: string): string {
  if (typeof value !== 'string')
    throw new TemplateError(`${what} must be text, not ${typeName(value)}`)
  return value
}

/** Converts a value to a key of a dictionary. */
export function keyOf(value: Value): Key {
  if (value instanceof Float) return value.value
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return value as Key
  throw new TemplateError(`${typeName(value)} cannot be the key of a dictionary`)
}

/** The items that a loop over the value visits. */
export function itemsOf(value: Value): readonly Value[] {
  if (value === undefined) return []
  if (Array.isArray(value)) return value
  if (typeof value === 'string') return Array.from(value)
  if (value instanceof Map) return [...value.keys()]
  throw new TemplateError(`${typeName(value)} is not a list`)
}

/** The cost of one pass over the value. */
export function sizeOf(value: Value): number {
  if (typeof value === 'string') return value.length + 1
  if (Array.isArray(value)) return value.length * ITEM + 1
  return value instanceof Map ? value.size * ITEM + 1 : 1
}

/** Python's `==`. */
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

/** Negative if `left` comes before `right`. Like Python, throws for values of different types. */
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

/** Python's `item in container`. */
export function contains(container: Value, item: Value, budget: Budget): boolean {
  budget.spend(sizeOf(container))
  if (container === undefined) return false
  if (typeof container === 'string') {
    // No text contains an undefined value.
    if (item === undefined) return false
    if (typeof item !== 'string')
      throw new TemplateError(`only a string can be in a string, not ${typeName(item)}`)
    return container.includes(item)
  }
  if (Array.isArray(container)) return container.some((each) => isEqual(each, item, budget))
  if (container instanceof Map) return item !== undefined && container.has(keyOf(item))
  throw new TemplateError(`${typeName(container)} cannot be searched`)
}
