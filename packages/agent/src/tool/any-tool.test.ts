import { expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { ownSchema } from '../../test/standard-schema.ts'
import { createRegistry } from '../registry/create-registry.ts'
import { type AnyTool, toolsByName } from './any-tool.ts'
import { tool, type Tool } from './tool.ts'

interface Named {
  readonly name: string
  readonly limit?: number | undefined
}

const byZod = tool({
  name: 'by_zod',
  description: 'Typed by zod',
  parameters: z.strictObject({ name: z.string(), limit: z.number().default(3) }),
  execute(args, context) {
    expectTypeOf(args).toEqualTypeOf<{ name: string; limit: number }>()
    expectTypeOf(context.signal).toEqualTypeOf<AbortSignal>()
    return { length: args.name.length }
  },
  show(result, args) {
    expectTypeOf(result).toEqualTypeOf<{ length: number }>()
    expectTypeOf(args.limit).toEqualTypeOf<number>()
    return String(result.length)
  },
})
const byOwn = tool({
  name: 'by_own',
  description: 'Typed by another library',
  parameters: ownSchema({ name: 'string', count: 'number' }, { jsonSchema: { type: 'object' } }),
  execute(args) {
    expectTypeOf(args).toEqualTypeOf<{ name: string; count: number }>()
    return args.count
  },
})
const bySchema = tool({
  name: 'by_schema',
  description: 'JSON Schema says nothing of types',
  parameters: { type: 'object' },
  execute(args) {
    expectTypeOf(args).toEqualTypeOf<Record<string, unknown>>()
    return 'done'
  },
})
/** An interface is not assignable to a record, but is still a type for arguments. */
const byInterface: Tool<Named, string> = tool({
  name: 'by_interface',
  description: 'Typed by an interface',
  parameters: z.strictObject({ name: z.string(), limit: z.number().optional() }),
  execute: ({ name }) => name,
})

test('tools with any arguments fit in one list without type annotations', () => {
  const all = [byZod, byOwn, bySchema, byInterface]
  expectTypeOf(byZod).toExtend<AnyTool>()
  expectTypeOf(byOwn).toExtend<AnyTool>()
  expectTypeOf(byInterface).toExtend<AnyTool>()
  expectTypeOf<Tool>().toExtend<AnyTool>()
  expectTypeOf(toolsByName).parameter(0).toEqualTypeOf<readonly AnyTool[]>()

  expect([...createRegistry(all).tools.keys()]).toEqual(all.map(({ name }) => name))
  expect([...toolsByName([byZod, byInterface]).keys()]).toEqual(['by_zod', 'by_interface'])
})

test('the compiler rejects values that are not tools', () => {
  const noName = { description: '', parameters: {}, access: {}, execute: () => 1 }
  expectTypeOf(noName).not.toExtend<AnyTool>()
  // @ts-expect-error: a name is required
  expect(() => createRegistry([noName])).toThrow('the name of a tool')
})
