import { protocols } from '@toolglot/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { executeWith, messageOf } from '../../test/execute-with.ts'
import { tool } from '../tool/tool.ts'
import { createRegistry } from './create-registry.ts'
import type { Middleware, Registry } from './registry.ts'

const made = (name: string) =>
  tool({
    name,
    description: `What ${name} does`,
    parameters: { type: 'object' },
    readOnly: true,
    execute: (args) => `${name} ${JSON.stringify(args)}`,
  })

const names = (registry: Registry) => [...registry.tools.keys()]
const run = async (registry: Registry, name: string) =>
  messageOf(await executeWith(registry, { name, args: {} }))

test('tools are shared, whichever registry they are added to or removed from', () => {
  const registry = createRegistry([made('a')])
  const one = registry.with()
  const other = registry.with({ mode: 'auto' })
  one.add(made('b'))
  other.addToolkit({
    id: 'kit',
    methods: [{ name: 'c', agentCallable: true }],
    execute: () => 1,
  })
  for (const each of [registry, one, other]) expect(names(each)).toEqual(['a', 'b', 'kit_c'])
  expect(() => other.add(made('B'))).toThrow('collide')
  registry.remove('a')
  one.with().remove('kit')
  for (const each of [registry, one, other]) expect(names(each)).toEqual(['b'])
})

test('two agents can have different tools, presets, protocols and limits', async () => {
  const registry = createRegistry([made('a'), made('b')], {
    timeout: 10,
    toolToggles: { b: false },
    presets: { a: { x: 1, y: 1 } },
  })
  const one = registry.with({ toolToggles: { a: false }, protocol: 'vcp', maxIterations: 3 })
  const other = registry.with({ toolToggles: { b: true }, presets: { a: { y: 2 } }, timeout: 20 })
  expect([names(registry), names(one), names(other)]).toEqual([['a'], [], ['a', 'b']])
  expect(await run(registry, 'a')).toBe('a {"x":1,"y":1}')
  expect(await run(one, 'a')).toContain('Unknown tool "a"')
  expect(await run(other, 'a')).toBe('a {"x":1,"y":2}')
  expect(one.resolved.protocol).toBe(protocols['vcp'])
  expect(one.resolved.limits).toEqual({ maxIterations: 3, toolTimeout: 10 })
  expect(other.resolved.limits).toEqual({ toolTimeout: 20 })
  expect(registry.resolved).toMatchObject({ limits: { toolTimeout: 10 }, protocol: undefined })
})

test('later configuration of the parent applies unless it is overridden', () => {
  const registry = createRegistry([made('a')])
  const derived = registry.with({ timeout: 5 })
  registry.configure({ timeout: 10, maxIterations: 4 })
  expect(derived.resolved.limits).toEqual({ toolTimeout: 5, maxIterations: 4 })
  derived.configure({ timeout: undefined })
  expect(derived.resolved.limits).toEqual({ toolTimeout: 10, maxIterations: 4 })
  registry.configure({ enabled: false })
  expect(names(derived)).toEqual([])
})

test("its middleware runs inside the parent's, and only for its own calls", async () => {
  const trace: string[] = []
  const traced = (text: string): Middleware => {
    return (call, next) => {
      trace.push(text)
      return next(call)
    }
  }
  const registry = createRegistry([made('a')])
  const derived = registry.with()
  const remove = derived.use(traced('inner'))
  registry.use(traced('outer'))
  await run(derived, 'a')
  expect(trace.splice(0)).toEqual(['outer', 'inner'])
  await run(registry, 'a')
  expect(trace.splice(0)).toEqual(['outer'])
  remove()
  await run(derived, 'a')
  expect(trace).toEqual(['outer'])
})

test('own tools exist in this registry and those derived from it', async () => {
  const registry = createRegistry([made('a')])
  const derived = registry.with({}, [made('mine')])
  expect([names(registry), names(derived)]).toEqual([['a'], ['a', 'mine']])
  expect(names(derived.with({ tools: ['mine'] }))).toEqual(['mine'])
  expect(await run(derived, 'mine')).toBe('mine {}')
  expect(derived.methods().map(({ toolId }) => toolId)).toEqual(['a', 'mine'])
  expect(() => registry.with({}, [made('A')])).toThrow('"A" and "a" collide')
  expect(() => registry.with({}, [made('x'), made('x')])).toThrow('collide')
  // Added to the shared registry later, and hidden by the own tool.
  const shared = made('mine')
  registry.add(shared)
  expect(registry.find('mine')).toBe(shared)
  expect(derived.find('mine')).not.toBe(shared)
  expect(names(derived)).toEqual(['a', 'mine'])
})

test('a rejected configuration has no effect', () => {
  const registry = createRegistry([made('a')])
  const before = registry.revision
  expect(() => registry.with({ timeout: -1 })).toThrow('timeout must be')
  expect(() => registry.with({ tools: ['b'] })).toThrow('Unknown tool "b"')
  expect(registry.revision).toBe(before)
})

test('discarding caches affects all registries that share the tools', () => {
  const registry = createRegistry([made('a')])
  const derived = registry.with()
  for (const each of [registry, derived]) {
    const before = [registry.definitions(), derived.definitions()]
    each.invalidateCache()
    expect(registry.definitions()).not.toBe(before[0])
    expect(derived.definitions()).not.toBe(before[1])
  }
})

const word = fc.constantFrom('a', 'b', 'c')
const step = fc.record({
  at: fc.nat({ max: 3 }),
  what: fc.constantFrom('add', 'remove', 'toggle', 'select', 'use', 'look'),
  name: word,
})

test('after any operation, revisions and caches are correct', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      const root = createRegistry()
      const child = root.with()
      const all = [root, child, root.with(), child.with()]
      /** The index of each registry's parent. */
      const parents = [undefined, 0, 0, 1]
      for (const { at, what, name } of steps) {
        const before = all.map((each) => [each.revision, each.definitions()] as const)
        const changed = take(all[at]!, what, name)
        for (const [index, each] of all.entries()) {
          const [revision, definitions] = before[index]!
          const isConcerned = what === 'add' || what === 'remove' || isWithin(index, at)
          if (changed && isConcerned) expect(each.revision).toBeGreaterThan(revision)
          else expect([each.revision, each.definitions()]).toEqual([revision, definitions])
          if (each.revision === revision) expect(each.definitions()).toBe(definitions)
          // Compare with a copy that has no caches.
          expect(each.definitions()).toEqual(each.with().definitions())
          expect(each.prompt('hermes')).toBe(each.with().prompt('hermes'))
        }
      }

      function isWithin(index: number | undefined, at: number): boolean {
        return index !== undefined && (index === at || isWithin(parents[index], at))
      }
    }),
    { numRuns: 60 },
  )

  function take(registry: Registry, what: string, name: string): boolean {
    try {
      if (what === 'add') registry.add(made(name))
      else if (what === 'remove') return registry.remove(name)
      else if (what === 'toggle') registry.configure({ toolToggles: { [name]: false } })
      else if (what === 'select') registry.configure({ tools: [name] })
      else if (what === 'use') registry.use((call, next) => next(call))
      else return registry.find(name) === null
      return true
    } catch {
      return false
    }
  }
})
