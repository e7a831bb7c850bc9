import type { Rule } from './rule.ts'

/** Caches a function of a list of rules by that list, until the list changes. */
export function cachedByRules<Read>(
  read: (rules: readonly Rule[]) => Read,
): (rules: readonly Rule[]) => Read {
  const known = new WeakMap<readonly Rule[], { rules: readonly Rule[]; read: Read }>()
  return (rules) => {
    const before = known.get(rules)
    if (before && isSame(before.rules, rules)) return before.read
    const found = { rules: [...rules], read: read(rules) }
    known.set(rules, found)
    return found.read
  }
}

function isSame(before: readonly Rule[], now: readonly Rule[]): boolean {
  return before.length === now.length && before.every((rule, at) => rule === now[at])
}
