import { expect, test } from 'vitest'
import { z } from 'zod'
import { executeWith, messageOf } from '../../test/execute-with.ts'
import { createRegistry } from '../registry/create-registry.ts'
import { tool, type ToolContext } from './tool.ts'

/** Calls a tool and returns the data it remembered. */
async function remembering(act: (context: ToolContext) => unknown, isRun = true) {
  const remembered: [string, unknown][] = []
  const registry = createRegistry([
    tool({
      name: 'note',
      description: 'note',
      parameters: z.strictObject({}),
      execute: (_, context) => act(context),
    }),
  ])
  const result = await executeWith(
    registry,
    { name: 'note', args: {} },
    {
      allow: ['note'],
      ...(isRun && { remember: (key, value) => void remembered.push([key, value]) }),
    },
  )
  return { message: messageOf(result), remembered }
}

test('a tool remembers a copy of the value it passes', async () => {
  const value = { list: [1, null, 'a', { deep: true }], gone: undefined }
  const { remembered } = await remembering(({ remember }) => {
    remember!('key', value)
    value.list.push('later')
    remember!('key', 2)
  })
  expect(remembered).toEqual([
    ['key', { list: [1, null, 'a', { deep: true }] }],
    ['key', 2],
  ])
  expect(Object.keys(remembered[0]![1] as object)).toEqual(['list'])
})

test('the key __proto__ stays a key', async () => {
  const { remembered } = await remembering(({ remember }) =>
    remember!('key', JSON.parse('{"__proto__":{"odd":1}}')),
  )
  expect(JSON.stringify(remembered[0]![1])).toBe('{"__proto__":{"odd":1}}')
})

test('keeps values remembered before a failure', async () => {
  const { message, remembered } = await remembering(({ remember }) => {
    remember!('key', 1)
    throw new Error('no')
  })
  expect([message, remembered]).toEqual(['no', [['key', 1]]])
})

const cyclic: unknown[] = []
cyclic.push(cyclic)

test.each<[value: unknown, message: string]>([
  [undefined, 'The value must be JSON, not undefined.'],
  [Number.NaN, 'The value must be JSON, not NaN.'],
  [10n, 'The value must be JSON, not a bigint.'],
  [() => 1, 'The value must be JSON, not a function.'],
  [{ a: [new Map()] }, 'The value at /a/0 must be JSON, not a Map.'],
  [{ a: new Date(0) }, 'The value at /a must be JSON, not a Date.'],
  [Array.from({ length: 1 }), 'The value at /0 must be JSON, not undefined.'],
  [cyclic, 'The JSON is nested more than 200 levels deep.'],
])('%s is not JSON and throws a TypeError in the tool', async (value, message) => {
  let thrown: unknown
  const { remembered } = await remembering(({ remember }) => {
    try {
      remember!('key', value)
    } catch (error) {
      thrown = error
    }
  })
  expect(thrown).toBeInstanceOf(TypeError)
  expect((thrown as Error).message).toBe(message)
  expect(remembered).toEqual([])
})

test('remembers no value outside of a run', async () => {
  const { message } = await remembering(({ remember }) => String(remember), false)
  expect(message).toBe('undefined')
})
