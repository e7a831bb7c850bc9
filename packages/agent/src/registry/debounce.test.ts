import { expect, test } from 'vitest'
import { executeWith, messageOf } from '../../test/execute-with.ts'
import { tool } from '../tool/tool.ts'
import { createRegistry } from './create-registry.ts'
import { debounce } from './debounce.ts'

function setting() {
  let time = 0
  const ran: string[] = []
  const gates: (() => void)[] = []
  const parameters = { type: 'object' }
  const made = (name: string, flags: object) =>
    tool({
      name,
      description: name,
      parameters,
      ...flags,
      execute: ({ text = '' }) => `${name} ${ran.push(`${name} ${String(text)}`)}`,
    })
  const registry = createRegistry([
    made('look', { readOnly: true }),
    made('set', { idempotent: true }),
    made('send', {}),
    tool({
      name: 'slow',
      description: 'slow',
      parameters,
      readOnly: true,
      execute: (_, { signal }) =>
        new Promise((resolve, reject) => {
          ran.push('slow')
          gates.push(() => resolve(`slow ${ran.length}`))
          signal.addEventListener('abort', () => reject(signal.reason as Error))
        }),
    }),
  ])
  registry.use(debounce({ wait: 100, now: () => time }))
  return {
    ran,
    gates,
    wait: (milliseconds: number) => (time += milliseconds),
    call: async (name: string, text = '', signal?: AbortSignal) =>
      messageOf(
        await executeWith(
          registry,
          { name, args: { text } },
          { allow: ['set', 'send'], run: 'run', ...(signal && { signal }) },
        ),
      ),
  }
}

test('an identical call soon afterward gets the result of the first', async () => {
  const { call, wait, ran } = setting()
  expect(await call('look')).toBe('look 1')
  wait(99)
  expect(await call('look')).toBe('look 1')
  expect(await call('look', 'other')).toBe('look 2')
  wait(1)
  expect(await call('look')).toBe('look 3')
  expect(ran).toHaveLength(3)
})

test('concurrent calls wait for the first call, for any time', async () => {
  const { call, gates, wait, ran } = setting()
  const both = [call('slow'), call('slow')]
  wait(1000)
  both.push(call('slow'))
  await expect.poll(() => gates.length).toBe(1)
  gates[0]!()
  expect(await Promise.all(both)).toEqual(['slow 1', 'slow 1', 'slow 1'])
  expect(ran).toEqual(['slow'])
})

test('a tool that is not repeatable runs each time', async () => {
  const { call, ran } = setting()
  await call('send')
  await call('send')
  expect(ran).toEqual(['send ', 'send '])
})

test('an idempotent call runs again if another tool ran in between', async () => {
  const { call, ran } = setting()
  await call('set', 'a')
  await call('set', 'a')
  await call('set', 'b')
  await call('set', 'a')
  await call('look')
  await call('set', 'a')
  await call('look')
  await call('send')
  await call('look')
  expect(ran).toEqual(['set a', 'set b', 'set a', 'look ', 'send ', 'look '])
})

test('a waiting call can be stopped separately, and is not stopped with the first', async () => {
  const { call, gates } = setting()
  const first = new AbortController()
  const second = new AbortController()
  const calls = [call('slow', '', first.signal), call('slow', '', second.signal), call('slow')]
  await expect.poll(() => gates.length).toBe(1)
  second.abort()
  expect(await calls[1]).toBe('slow was cancelled.')
  first.abort()
  expect(await calls[0]).toBe('slow was stopped while it ran. It changes nothing.')
  await expect.poll(() => gates.length).toBe(2)
  gates[1]!()
  expect(await calls[2]).toBe('slow 2')
})
