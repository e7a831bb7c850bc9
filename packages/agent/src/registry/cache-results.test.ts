import { expect, test } from 'vitest'
import { executeWith, messageOf } from '../../test/execute-with.ts'
import { tool } from '../tool/tool.ts'
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
  ])
  registry.use(cacheResults({ now: () => time, ...options }))
  return {
    gates,
    wait: (milliseconds: number) => (time += milliseconds),
    call: async (name: string, args: Record<string, unknown> = {}, run = 'run') =>
      messageOf(await executeWith(registry, { name, args }, { allow: ['write'], run })),
    raw: (name: string) => executeWith(registry, { name, args: {} }),
  }
}

test('the same call gets the cached result, whatever the order of its arguments', async () => {
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

test('the cache is cleared when something may have changed', async () => {
  const { call } = setting()
  expect(await call('look')).toBe('1')
  expect(await call('write')).toBe('written')
  expect(await call('write')).toBe('written')
  expect(await call('look')).toBe('2')
})

test('a result that was started before a change is not cached', async () => {
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

test('the cache is limited in number and size, and drops the oldest first', async () => {
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

test('each caller gets a copy', async () => {
  const { raw } = setting()
  const first = await raw('look')
  const second = await raw('look')
  Object.assign((second as { result: object }).result, { count: 7 })
  expect(first).toMatchObject({ result: { count: 1 } })
  expect(await raw('look')).toMatchObject({ result: { count: 1 } })
})
