import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tool } from '../tool/tool.ts'
import { createRegistry } from './create-registry.ts'
import type { Registry } from './registry.ts'

const made = (name: string) =>
  tool({ name, description: name, parameters: { type: 'object' }, execute: () => 1 })

/** A small alphabet makes names collide often. */
const name = fc.string({
  unit: fc.constantFrom('a', 'A', 'b', '_', 'ａ'),
  minLength: 1,
  maxLength: 3,
})
const entry = fc.record({ name, aliases: fc.array(name, { maxLength: 2 }) })
type Entry = { readonly name: string; readonly aliases: readonly string[] }

function add(registry: Registry, { name: own, aliases }: Entry): boolean {
  try {
    registry.add(made(own), { aliases })
    return true
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError)
    return false
  }
}

test('find() is exact', () => {
  fc.assert(
    fc.property(fc.array(entry), fc.array(name), (entries, others) => {
      const registry = createRegistry()
      const owners = new Map<string, string>()
      for (const each of entries)
        if (add(registry, each))
          for (const one of [each.name, ...each.aliases]) owners.set(one, each.name)
      for (const one of [...others, ...owners.keys()])
        expect(registry.find(one)?.name).toBe(owners.get(one))
    }),
  )
})

test('names collide in either order', () => {
  fc.assert(
    fc.property(entry, entry, (one, other) => {
      const both = (...entries: Entry[]) => {
        const registry = createRegistry()
        return entries.map((each) => add(registry, each))
      }
      const [first] = both(one)
      const [second] = both(other)
      if (first && second) expect(both(one, other)[1]).toBe(both(other, one)[1])
    }),
  )
})

type Step =
  | { do: 'add'; entry: Entry }
  | { do: 'remove' | 'look'; name: string }
  | { do: 'toggle'; name: string; on: boolean }
  | { do: 'use' }

test('the revision increases with each change, and stays the same between changes', () => {
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({ do: fc.constant('add' as const), entry }),
    fc.record({ do: fc.constant('remove' as const), name }),
    fc.record({ do: fc.constant('toggle' as const), name, on: fc.boolean() }),
    fc.record({ do: fc.constant('use' as const) }),
    fc.record({ do: fc.constant('look' as const), name }),
  )
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const registry = createRegistry()
      for (const each of steps) {
        const before = { revision: registry.revision, definitions: registry.definitions() }
        const changed = run(registry, each)
        if (changed) expect(registry.revision).toBeGreaterThan(before.revision)
        else {
          expect(registry.revision).toBe(before.revision)
          expect(registry.definitions()).toBe(before.definitions)
        }
        expect(registry.definitions().map((definition) => definition.name)).toEqual([
          ...registry.tools.keys(),
        ])
      }
    }),
  )

  function run(registry: Registry, step: Step): boolean {
    switch (step.do) {
      case 'add':
        return add(registry, step.entry)
      case 'remove':
        return registry.remove(step.name)
      case 'toggle':
        registry.configure({ toolToggles: { [step.name]: step.on } })
        return true
      case 'use':
        registry.use((call, next) => next(call))
        return true
      case 'look':
        registry.find(step.name)
        registry.methods()
        registry.notes()
        return false
    }
  }
})

test('removing a tool leaves no trace', () => {
  fc.assert(
    fc.property(entry, entry, (one, other) => {
      const registry = createRegistry()
      const there = add(registry, one)
      expect(registry.remove(one.name)).toBe(there)
      expect(registry.remove(one.name)).toBe(false)
      expect(add(registry, other)).toBe(add(createRegistry(), other))
    }),
  )
})
