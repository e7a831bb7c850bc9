/** Returns a deep copy of JSON data, without members that are undefined. Throws a TypeError for anything else. */
export function jsonCopy(value: unknown, path = '', depth = 0): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number' && Number.isFinite(value)) return value
  if (depth > MAX_DEPTH)
    throw new TypeError(`Expected JSON that is nested at most ${MAX_DEPTH} levels deep.`)
  // Not `map`, which skips holes.
  if (Array.isArray(value))
    return Array.from(value, (item: unknown, index) =>
      jsonCopy(item, `${path}/${index}`, depth + 1),
    )
  if (!isPlain(value)) throw new TypeError(`Expected JSON, got ${nameOf(value)}${placeOf(path)}.`)
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

const MAX_DEPTH = 200

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

function nameOf(value: unknown): string {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'object') return value === undefined ? 'undefined' : `a ${typeof value}`
  return `a ${(value?.constructor as { name?: string } | undefined)?.name ?? 'object'}`
}

function placeOf(path: string): string {
  return path === '' ? '' : ` at ${path.slice(0, 200)}`
}
