/**
 * Where a key reaches for an object's prototype; undefined: nowhere. `named` are the arguments that the tool has: one of
 * them may be a constructor.
 */
export function unsafeKeyIn(value: unknown, named: () => readonly string[]): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, member] of Object.entries(value)) {
    if (UNSAFE.has(key) && (key === '__proto__' || !named().includes(key))) return key
    const inside = unsafeKeyIn(member, () => [])
    if (inside !== undefined) return `${key}/${inside}`
  }
  return undefined
}

const UNSAFE = new Set(['__proto__', 'constructor', 'prototype'])
