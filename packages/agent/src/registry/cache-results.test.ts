import { expect, test } from 'vitest'
import { executeWith, messageOf } from '../../test/execute-with.ts'
import { tool } from '../tool/tool.ts'
import { ToolError } from '../tool/tool-error.ts'
import { cacheResults, type CacheOptions } from './cache-results.ts'
import { createRegistry } from './create-registry.ts'

function setting(options: CacheOptions = {}) {
  let counted = 0
  let time = 0
  const parameters = { type: 'object' }
  const look = (name: string, flags: object = {}) =>
    tool({
      name,
      description: name,
      parameters,
      readOnly: true,
      ...flags,
      execute: ({ size = 0 }) => ({ count: ++counted, filler: 'x'.repeat(Number(size)) }),
      show: ({ count }) => String(count),
    })
  const gates: (() => void)[] = []
  const registry = createRegistry([
    look('look'),
    look('poll', { repeatable: true }),
    tool({
      name: 'slow',
      description: 'slow',
      parameters,
      readOnly: true,
      execute: () => new Promise((resolve) => gates.push(() => resolve(++counted))),
    }),
    tool({
      name: 'fail',
      description: 'fail',
      parameters,
      readOnly: true,
      execute: () => Promise.reject(new Error(String(++counted))),
    }),
    tool({ name: 'write', description: 'write', parameters, execute: () => 'written' }),
    tool({
      name: 'hang',
      description: 'hang',
      parameters,
      execute: () => Promise.reject(new ToolError('timeout', 'hangs', { code: 'interrupted' })),
    }),
  ])
  registry.use(cacheResults({ now: () => time, ...options }))
  return {
    gates,
    wait: (milliseconds: number) => (time += milliseconds),
    call: async (name: string, args: Record<string, unknown> = {}, run = 'run') =>
      messageOf(await executeWith(registry, { name, args }, { allow: ['write', 'hang'], run })),
    raw: (name: string) => executeWith(registry, { name, args: {} }),
  }
}

test('an identical call gets the cached result, with its arguments in any order', async () => {
  const { call } = setting()
  expect(await call('look', { a: 1, b: 2 })).toBe('1')
  expect(await call('look', { b: 2, a: 1 })).toBe('1')
  expect(await call('look', { b: 2, a: 2 })).toBe('2')
  expect(await call('look', { a: 1, b: 2 }, 'another run')).toBe('3')
})

test('results expire', async () => {
  const { call, wait } = setting({ ttl: 100 })
  expect(await call('look')).toBe('1')
  wait(99)
  expect(await call('look')).toBe('1')
  wait(1)
  expect(await call('look')).toBe('2')
})

test('the cache is cleared when a tool may have changed something', async () => {
  const { call } = setting()
  expect(await call('look')).toBe('1')
  expect(await call('write')).toBe('written')
  expect(await call('write')).toBe('written')
  expect(await call('look')).toBe('2')
})

test('caches no result in a run with a stopped tool that may still change something', async () => {
  const { call } = setting()
  expect(await call('look')).toBe('1')
  expect(await call('hang')).toBe('hangs')
  expect([await call('look'), await call('look')]).toEqual(['2', '3'])
  expect([await call('look', {}, 'other'), await call('look', {}, 'other')]).toEqual(['4', '4'])
})

test('a result of a call that started before a change is not cached', async () => {
  const { call, gates } = setting()
  const slow = call('slow')
  await expect.poll(() => gates.length).toBe(1)
  await call('write')
  gates[0]!()
  expect(await slow).toBe('1')
  const again = call('slow')
  await expect.poll(() => gates.length).toBe(2)
  gates[1]!()
  expect(await again).toBe('2')
})

test('failures and repeatable tools are not cached', async () => {
  const { call } = setting()
  expect([await call('fail'), await call('fail')]).toEqual(['1', '2'])
  expect([await call('poll'), await call('poll')]).toEqual(['3', '4'])
})

test('the cache has a maximum number and size, and drops the oldest results first', async () => {
  const many = setting({ maxEntries: 2 })
  for (const a of [1, 2, 3]) await many.call('look', { a })
  expect(await many.call('look', { a: 3 })).toBe('3')
  expect(await many.call('look', { a: 2 })).toBe('2')
  expect(await many.call('look', { a: 1 })).toBe('4')

  const large = setting({ maxBytes: 10_000 })
  expect(await large.call('look', { size: 3000 })).toBe('1')
  expect(await large.call('look', { size: 3000 })).toBe('1')
  expect(await large.call('look', { size: 3001 })).toBe('2')
  expect(await large.call('look', { size: 3000 })).toBe('3')
  expect(await large.call('look', { size: 9000 })).toBe('4')
  expect(await large.call('look', { size: 9000 })).toBe('5')
})

test('each caller gets its own copy', async () => {
  const { raw } = setting()
  const first = await raw('look')
  const second = await raw('look')
  Object.assign((second as { result: object }).result, { count: 7 })
  expect(first).toMatchObject({ result: { count: 1 } })
  expect(await raw('look')).toMatchObject({ result: { count: 1 } })
})

test('a result that its copy might print differently is not cached', async () => {
  let ran = 0
  class Money {
    readonly amount = ++ran
    toJSON() {
      return `$${this.amount}`
    }
  }
  const results: Record<string, () => unknown> = {
    text: () => `text ${++ran}`,
    nothing: () => void ++ran,
    list: () => [{ ran: ++ran, none: undefined }],
    class: () => ({ price: new Money() }),
    date: () => new Date(++ran),
    bytes: () => new Uint8Array([++ran]),
    map: () => new Map([['ran', ++ran]]),
  }
  const registry = createRegistry(
    Object.entries(results).map(([name, execute]) => ({
      name,
      description: name,
      parameters: { type: 'object' },
      readOnly: true,
      execute,
    })),
  )
  registry.use(cacheResults())
  const cached: string[] = []
  for (const name of Object.keys(results)) {
    const before = ran
    const [first, second] = [
      await executeWith(registry, { name, args: {} }),
      await executeWith(registry, { name, args: {} }),
    ]
    if (ran > before + 1) continue
    cached.push(name)
    expect(second).toEqual(first)
  }
  expect(cached).toEqual(['text', 'nothing', 'list'])
})

test('invalid options are rejected', () => {
  expect(() => cacheResults({ maxEntries: 0 })).toThrow('maxEntries must be a positive')
  expect(() => cacheResults({ max: 3 } as CacheOptions)).toThrow('Unknown key "max"')
  cacheResults({ ttl: Infinity, maxBytes: Infinity })
})
