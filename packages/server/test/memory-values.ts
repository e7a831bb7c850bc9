import type { SharedValues } from '@toolglot/agent/journal/internal'

/** Values shared by several servers of a test, in memory. */
export function memoryValues(now: () => number = Date.now): SharedValues {
  const all = new Map<string, { readonly value: string; until: number; used: number }>()
  let uses = 0
  const nameOf = (space: string, owner: string, key: string): string =>
    JSON.stringify([space, owner, key])
  return {
    async get(space, key, { owner = '', renew } = {}) {
      const found = all.get(nameOf(space, owner, key))
      if (!found || found.until <= now()) return undefined
      if (renew !== undefined) Object.assign(found, { until: now() + renew, used: uses++ })
      return JSON.parse(found.value) as unknown
    },
    async add(space, key, value, { owner = '', lifetime = Infinity, limits } = {}) {
      const name = nameOf(space, owner, key)
      if ((all.get(name)?.until ?? 0) > now()) return false
      all.set(name, { value: JSON.stringify(value), until: now() + lifetime, used: uses++ })
      let size = 0
      const owned = [...all].filter(([each]) =>
        each.startsWith(JSON.stringify([space, owner]).slice(0, -1)),
      )
      for (const [at, [each, kept]] of owned
        .sort(([, one], [, other]) => other.used - one.used)
        .entries()) {
        size += kept.value.length
        if (limits && (at >= limits.count || size > limits.size)) all.delete(each)
      }
      return true
    },
    async remove(space, key) {
      const found = all.get(nameOf(space, '', key))
      return all.delete(nameOf(space, '', key)) && found!.until > now()
    },
    async list(space) {
      const found = [...all].map(([name, { value }]) => ({
        name: JSON.parse(name) as string[],
        value,
      }))
      return new Map(
        found
          .filter(({ name }) => name[0] === space)
          .map(({ name, value }) => [name[2]!, JSON.parse(value) as unknown]),
      )
    },
    async clear(space) {
      for (const name of all.keys())
        if ((JSON.parse(name) as string[])[0] === space) all.delete(name)
    },
  }
}
