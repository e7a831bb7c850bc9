import type { Budget } from './budget.ts'
import {
  contains,
  isEqual,
  order,
  argument,
  type Arguments,
  Callable,
  type Dictionary,
  itemsOf,
  keyOf,
  makeTuple,
  Namespace,
  sizeOf,
  Tuple,
  typeName,
  type Value,
  wholeNumber,
} from './value.ts'
import { formatText } from './format.ts'
import { stringMethods } from './string-methods.ts'
import { TemplateError } from './template-error.ts'

/** The value of `object.name`: a method, or else the item with this key. */
export function memberOf(object: Value, name: string, budget: Budget): Value {
  return methodOf(object, name, budget) ?? itemOf(object, name, budget)
}

/** The value of `object[key]`: the item with this key, or else the method with this name. */
export function itemOf(object: Value, key: Value, budget: Budget): Value {
  // Python rejects this, but llama.cpp does not.
  if (object === undefined) return undefined
  if (object instanceof Map) {
    const item = key === undefined ? undefined : object.get(keyOf(key))
    if (item !== undefined) return item
  } else if (object instanceof Namespace) {
    return typeof key === 'string' ? object.fields.get(key) : undefined
  } else if (typeof key === 'number' || typeof key === 'boolean') {
    if (Array.isArray(object)) return object.at(Number(key))
    if (typeof object === 'string') return charactersOf(object, budget).at(Number(key))
  } else if (typeof key === 'string' && /^-?\d{1,9}$/.test(key) && Array.isArray(object)) {
    return object.at(Number(key))
  }
  return typeof key === 'string' ? methodOf(object, key, budget) : undefined
}

/** The characters of a string. As in Python, a surrogate pair counts as one character. */
export function charactersOf(
  text: string,
  budget: Budget,
): ArrayLike<string> & {
  at(index: number): string | undefined
  slice(start: number, end: number): string | string[]
} {
  budget.spend(1)
  // Without surrogates, the text can be indexed directly.
  if (!/[\ud800-\udbff]/.test(text)) return text
  budget.items(text.length)
  return Array.from(text)
}

function methodOf(object: Value, name: string, budget: Budget): Callable | undefined {
  const make = (call: (given: Arguments) => Value): Callable =>
    new Callable(name, (given) => {
      budget.spend(sizeOf(object))
      for (const each of given.positional) budget.spend(sizeOf(each))
      // The pairs are new values, so they cost work.
      if (object instanceof Map && name === 'items') budget.items(object.size * 4)
      return call(given)
    })
  if (typeof object === 'string') {
    if (name === 'format') return make((given) => formatText(object, given, memberOf, budget))
    const method = stringMethods.get(name)
    return method && make((given) => method(object, given, budget))
  }
  if (object instanceof Map) {
    const method = dictionaryMethods.get(name)
    return method && make((given) => method(object, given))
  }
  if (Array.isArray(object)) {
    const method = listMethods.get(name)
    return method && make((given) => method(object, given, budget))
  }
  return undefined
}

type DictionaryMethod = (object: Dictionary, given: Arguments) => Value

const dictionaryMethods: ReadonlyMap<string, DictionaryMethod> = new Map<string, DictionaryMethod>([
  [
    'get',
    (object, given) => {
      const [key] = given.positional
      const item = key === undefined ? undefined : object.get(keyOf(key))
      return item === undefined ? (argument(given, 1, 'default') ?? null) : item
    },
  ],
  ['items', (object) => Array.from(object, (entry) => makeTuple(entry))],
  ['keys', (object) => [...object.keys()]],
  ['values', (object) => [...object.values()]],
  ['copy', (object) => new Map(object)],
  [
    'pop',
    (object, { positional: [key, otherwise] }) => {
      const item = object.get(keyOf(key))
      object.delete(keyOf(key))
      if (item === undefined && otherwise === undefined)
        throw new TemplateError('the dictionary has no such key to remove')
      return item ?? otherwise
    },
  ],
  [
    'setdefault',
    (object, { positional: [key, otherwise = null] }) => {
      if (!object.has(keyOf(key))) object.set(keyOf(key), otherwise)
      return object.get(keyOf(key))
    },
  ],
  [
    'update',
    (object, { positional: [other], named }) => {
      if (other instanceof Map) for (const [key, item] of other) object.set(key, item)
      for (const [key, item] of named) object.set(key, item)
      return null
    },
  ],
])

type ListMethod = (list: Value[], given: Arguments, budget: Budget) => Value

const listMethods: ReadonlyMap<string, ListMethod> = new Map<string, ListMethod>([
  ['append', (list, { positional: [item] }) => changed(list, () => list.push(item))],
  [
    'extend',
    (list, { positional: [items] }) =>
      changed(list, () => {
        for (const item of [...itemsOf(items)]) list.push(item)
      }),
  ],
  [
    'insert',
    (list, { positional: [index, item] }) =>
      changed(list, () => list.splice(wholeNumber(index, 'a position'), 0, item)),
  ],
  [
    'pop',
    (list, { positional: [index = -1] }) => {
      const [item] = list.splice(wholeNumber(index, 'a position'), 1)
      return item
    },
  ],
  ['reverse', (list) => changed(list, () => list.reverse())],
  ['sort', (list, _given, budget) => changed(list, () => list.sort((a, b) => order(a, b, budget)))],
  ['copy', (list) => [...list]],
  [
    'index',
    (list, { positional: [item] }, budget) => {
      const index = list.findIndex((each) => isEqual(each, item, budget))
      if (index < 0) throw new TemplateError('the list has no such item')
      return index
    },
  ],
  [
    'count',
    (list, { positional: [item] }, budget) =>
      list.filter((each) => isEqual(each, item, budget)).length,
  ],
  ['__contains__', (list, { positional: [item] }, budget) => contains(list, item, budget)],
])

function changed(list: Value[], change: () => unknown): null {
  if (list instanceof Tuple) throw new TemplateError(`${typeName(list)} cannot be changed`)
  change()
  return null
}
