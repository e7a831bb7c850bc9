/**
 * Returns a deep, frozen copy of data, so that changes cannot affect the original. Objects become
 * plain objects. Values other than plain data, such as dates, are not copied.
 */
export function frozenCopy(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (depth > MAX_DEPTH)
    throw new RangeError(`The data is nested more than ${MAX_DEPTH} levels deep.`)
  if (Array.isArray(value))
    return Object.freeze(value.map((item: unknown) => frozenCopy(item, depth + 1)))
  if (!isPlain(value)) return value
  const copy: Record<string, unknown> = {}
  for (const [key, member] of Object.entries(value)) {
    const frozen = frozenCopy(member, depth + 1)
    // Assigning `__proto__` would set the prototype.
    if (key === '__proto__') Object.defineProperty(copy, key, { value: frozen, enumerable: true })
    else copy[key] = frozen
  }
  return Object.freeze(copy)
}

const MAX_DEPTH = 200

/** Freezes data in place, at any depth. */
export function freezeAll<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  if (!Array.isArray(value) && !isPlain(value)) return value
  Object.freeze(value)
  for (const member of Object.values(value)) freezeAll(member)
  return value
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/**
 * Returns a deep copy of JSON data, without undefined members. Throws a TypeError for any other
 * value.
 */
export function jsonCopy(value: unknown, path = '', depth = 0): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number' && Number.isFinite(value)) return value
  if (depth > MAX_DEPTH)
    throw new TypeError(`The JSON is nested more than ${MAX_DEPTH} levels deep.`)
  // `map` would skip holes.
  if (Array.isArray(value))
    return Array.from(value, (item: unknown, index) =>
      jsonCopy(item, `${path}/${index}`, depth + 1),
    )
  if (typeof value !== 'object' || !isPlain(value))
    throw new TypeError(`The value${placeOf(path)} must be JSON, not ${nameOf(value)}.`)
  const copy: Record<string, unknown> = {}
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue
    const copied = jsonCopy(member, `${path}/${key}`, depth + 1)
    // Assigning `__proto__` would set the prototype.
    Object.defineProperty(copy, key, {
      value: copied,
      enumerable: true,
      writable: true,
      configurable: true,
    })
  }
  return copy
}

function nameOf(value: unknown): string {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'object') return value === undefined ? 'undefined' : `a ${typeof value}`
  return `a ${(value?.constructor as { name?: string } | undefined)?.name ?? 'object'}`
}

function placeOf(path: string): string {
  return path === '' ? '' : ` at ${path.slice(0, 200)}`
}
