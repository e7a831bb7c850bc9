import { canonicalTools } from '@toolglot/permissions'
import { expect, expectTypeOf, test } from 'vitest'
import { executeWith, messageOf } from '../../test/execute-with.ts'
import type { AnyTool } from '../tool/any-tool.ts'
import { tool } from '../tool/tool.ts'
import { ToolError } from '../tool/tool-error.ts'
import { createRegistry } from './create-registry.ts'
import type { Registry } from './registry.ts'
import { registryOf, type ToolSelection } from './registry-of.ts'

const made = (name: string) =>
  tool({
    name,
    description: name,
    parameters: { type: 'object' },
    ...(canonicalTools.has(name) ? { access: canonicalTools.get(name)! } : { readOnly: true }),
    execute: () => `${name} ran`,
  })

const names = (selection: ToolSelection) => [...registryOf(selection).tools.keys()]
const shared = () => createRegistry([made('Read'), made('look'), made('find')], { timeout: 7 })

test('a registry is used unchanged as either option', () => {
  const registry = shared()
  expect(registryOf({ tools: registry })).toBe(registry)
  expect(registryOf({ registry })).toBe(registry)
  expect(registryOf({ tools: registry, registry })).toBe(registry)
  expect(registryOf({ tools: registry, cacheResults: false, retryTools: false })).toBe(registry)
})

test('tools can be a list, a set, a map or a generator', () => {
  const [a, b] = [made('a'), made('b')]
  expect(names({})).toEqual([])
  expect(names({ tools: [] })).toEqual([])
  expect(names({ tools: [a, b] })).toEqual(['a', 'b'])
  expect(names({ tools: new Set([a, b]) })).toEqual(['a', 'b'])
  expect(names({ tools: new Map([['x', a]]) })).toEqual(['a'])
  expect(names({ tools: [a, b].values() })).toEqual(['a', 'b'])
  expectTypeOf<(AnyTool | string)[]>().toExtend<ToolSelection['tools']>()
})

test('finds tools by name in the registry, and accepts names mixed with tools', () => {
  const registry = shared()
  expect(names({ tools: ['find', 'Read'], registry })).toEqual(['find', 'Read'])
  expect(names({ tools: ['read_file'], registry })).toEqual(['read_file'])
  expect(names({ tools: ['find', made('own'), 'read_file'], registry })).toEqual([
    'find',
    'own',
    'read_file',
  ])
  expect(names({ tools: [made('own')], registry })).toEqual(['own'])
  // No collision, because the tool in the registry was not selected.
  expect(names({ tools: [made('find'), 'look'], registry })).toEqual(['find', 'look'])
  expect(names({ tools: [], registry })).toEqual([])
  expect([...registry.tools.keys()]).toEqual(['Read', 'look', 'find'])
})

test("the registry's configuration and middleware apply, even later ones", () => {
  const registry = shared()
  const chosen = registryOf({ tools: ['look', made('own')], registry })
  expect(chosen.resolved.limits).toEqual({ toolTimeout: 7 })
  registry.use((call, next) => next(call))
  registry.configure({ toolToggles: { own: false } })
  registry.remove('look')
  expect(chosen.middleware).toHaveLength(1)
  expect([...chosen.tools.keys()]).toEqual([])
})

test.each<[unknown, string]>([
  [{ tools: ['Read'] }, 'The tool name "Read" requires a registry. Pass it as'],
  [{ tools: ['raed'], registry: shared() }, 'Unknown tool "raed". Did you mean Read?'],
  [{ tools: 'Read', registry: shared() }, 'or a list of tools or of their names, not "Read".'],
  [{ tools: { get: made('get') } }, 'or a list of tools or of their names, not an object.'],
  [{ tools: made('get') }, 'tools must be a registry, or a list'],
  [{ tools: null }, 'not null.'],
  [{ tools: [null] }, 'A tool must be an object with name'],
  [{ tools: [null], registry: shared() }, 'A tool must be an object with name'],
  [{ tools: [7] }, 'not 7.'],
  [{ tools: [{ name: 'get', handler: () => 1 }] }, 'Rename handler to execute.'],
  [{ tools: ['look', made('Look')], registry: shared() }, 'collide'],
  [{ tools: ['look', made('look')], registry: shared() }, 'collide'],
  [{ tools: shared(), registry: shared() }, 'two different registries. Pass one of the two.'],
  [{ registry: [made('a')] }, 'registry must be a registry created with createRegistry()'],
  [{ registry: new Map() }, 'registry must be a registry'],
  [{ cacheResults: 'yes' }, 'cacheResults must be true, false or an object, not "yes".'],
  [
    { cacheResults: { tll: 5 } },
    'Unknown key "tll" in the options of cacheResults. Did you mean ttl',
  ],
  [{ cacheResults: { ttl: -5 } }, 'ttl must be a positive number of milliseconds, not -5.'],
  [{ retryTools: { retries: 1.5 } }, 'retries must be a whole number, 0 or more, not 1.5.'],
  [{ retryTools: 3 }, 'retryTools must be true, false or an object, not 3.'],
])('%o is rejected', (selection, message) => {
  expect(() => registryOf(selection as ToolSelection)).toThrow(TypeError)
  expect(() => registryOf(selection as ToolSelection)).toThrow(message)
})

function counting() {
  let ran = 0
  const parameters = { type: 'object', properties: { unit: { default: 'C' } } }
  const flaky = { name: 'flaky', description: '', parameters, readOnly: true }
  const count = { name: 'count', description: '', parameters, readOnly: true }
  const failures = [new ToolError('timeout', 'late'), new ToolError('timeout', 'late')]
  const begun: string[] = []
  return {
    begun,
    tools: [
      { ...count, execute: (args: object) => ({ ran: ++ran, ...args }) },
      { name: 'write', description: '', parameters, execute: () => 'written' },
      {
        ...flaky,
        execute() {
          const failure = failures.pop()
          if (failure) throw failure
          return 'done'
        },
      },
    ] satisfies AnyTool[],
    call: (registry: Registry, name: string, args = {}, run = 'run-1') =>
      executeWith(
        registry,
        { name, args },
        {
          allow: ['write'],
          run,
          begin: async (each) => void begun.push(each.name),
        },
      ),
  }
}

test('a cached result is a success with the same text and data, without running the tool', async () => {
  const { tools, call, begun } = counting()
  const registry = registryOf({ tools, cacheResults: true })
  const first = await call(registry, 'count', { a: 1 })
  expect(first).toMatchObject({ status: 'success', result: { ran: 1, a: 1, unit: 'C' } })
  // Arguments with explicit default values count as the same call.
  expect(await call(registry, 'count', { unit: 'C', a: 1 })).toEqual(first)
  expect(begun).toEqual(['count'])
  // The cache is not shared with other runs or other uses of the same tools.
  expect(await call(registry, 'count', { a: 1 }, 'run-2')).toMatchObject({ result: { ran: 2 } })
  const other = registryOf({ tools, cacheResults: { ttl: 5000 } })
  expect(await call(other, 'count', { a: 1 })).toMatchObject({ result: { ran: 3 } })
})

test('a cached result is not used after a change', async () => {
  const { tools, call } = counting()
  const registry = createRegistry(tools)
  const cached = registryOf({ registry, cacheResults: true })
  const count = async () => messageOf(await call(cached, 'count'))
  expect([await count(), await count()]).toEqual(Array(2).fill('{"ran":1,"unit":"C"}'))
  await call(cached, 'write')
  expect(await count()).toBe('{"ran":2,"unit":"C"}')
  // A changed configuration clears the cache.
  registry.configure({ presets: { count: { unit: 'F' } } })
  expect(await count()).toBe('{"ran":3,"unit":"F"}')
  // A different tool with the same name is not answered from the cache.
  registry.remove('count')
  registry.add({ ...tools[0]!, execute: () => 'replaced' })
  expect(await count()).toBe('replaced')
  // The registry itself does not get the middleware.
  expect(registry.middleware).toEqual([])
})

test('a call is first retried, then cached', async () => {
  const { tools, call, begun } = counting()
  const registry = registryOf({ tools, retryTools: { delay: 0 }, cacheResults: true })
  expect(await call(registry, 'flaky')).toMatchObject({ status: 'success', text: 'done' })
  expect(begun).toEqual(['flaky', 'flaky', 'flaky'])
  expect(await call(registry, 'flaky')).toMatchObject({ status: 'success', text: 'done' })
  expect(begun).toHaveLength(3)
  const { tools: again, call: callAgain } = counting()
  expect(await callAgain(registryOf({ tools: again }), 'flaky')).toMatchObject({
    failure: { error_type: 'timeout' },
  })
})

test('retries a tool that timed out, with its full time', async () => {
  let tried = 0
  const slow: AnyTool = {
    name: 'slow',
    description: '',
    parameters: { type: 'object' },
    readOnly: true,
    execute: (_, { signal }) =>
      ++tried < 3
        ? new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason as Error))
          })
        : 'done',
  }
  const call = { name: 'slow', args: {} }
  const retried = registryOf({ tools: [slow], retryTools: { delay: 0 } })
  expect(await executeWith(retried, call, { toolTimeout: 10 })).toMatchObject({ text: 'done' })
  expect(tried).toBe(3)
  tried = 0
  expect(await executeWith(registryOf({ tools: [slow] }), call, { toolTimeout: 10 })).toMatchObject(
    {
      failure: { error_type: 'timeout', message: 'slow was stopped after 10 ms.' },
    },
  )
})
