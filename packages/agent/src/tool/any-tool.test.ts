import { expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { ownSchema } from '../../test/standard-schema.ts'
import { createRegistry } from '../registry/create-registry.ts'
import { type AnyTool, toolsByName, asTool, checkTool } from './any-tool.ts'
import { tool, type Tool } from './tool.ts'
import { executeWith, messageOf } from '../../test/execute-with.ts'

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
/** An interface is not assignable to a record, but is still allowed as a type of arguments. */
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
  expect(() => createRegistry([noName])).toThrow('The name of a tool')
})

const parameters = { type: 'object' }
const whole = { name: 'get', description: 'Gets', parameters, execute: () => 'got' }
const bare = { name: 'get', description: 'Gets', parameters }

function problemWith(given: unknown): string | undefined {
  try {
    checkTool(given)
    return undefined
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError)
    return (error as Error).message
  }
}

test('a plain object is a tool', async () => {
  const registry = createRegistry([whole, { ...whole, name: 'look', readOnly: true }])
  const call = async (name: string, allow: string[] = []) =>
    messageOf(await executeWith(registry, { name, args: {} }, { allow }))
  expect(await call('get')).toContain('no rule allows get')
  expect(await call('get', ['get'])).toBe('got')
  expect(await call('look')).toBe('got')
  expect(registry.tools.get('get')?.access).toEqual({})
  expect(registry.tools.get('look')?.access).toEqual({ readOnly: true, harmless: true })
  expect(registry.tools.get('look')).not.toHaveProperty('readOnly')
})

test('returns a complete tool as the same object', () => {
  const get = tool(whole)
  expect(asTool(get)).toBe(get)
  expect(toolsByName([get]).get('get')).toBe(get)
})

test('an object can inherit its members, and keeps its own state', async () => {
  class Counter {
    readonly name = 'count'
    readonly parameters = z.strictObject({})
    #count = 0
    get description() {
      return 'Counts'
    }
    execute() {
      return ++this.#count
    }
    show(result: number) {
      return `counted ${result} of ${this.#count}`
    }
  }
  const registry = createRegistry([new Counter()])
  const call = () => executeWith(registry, { name: 'count', args: {} }, { allow: ['count'] })
  await call()
  expect(messageOf(await call())).toBe('counted 2 of 2')
  expect(registry.definitions()[0]).toMatchObject({ name: 'count', description: 'Counts' })
})

test('a schema can be a function, as in some libraries', () => {
  const standard = { version: 1, vendor: 'own', validate: (value: unknown) => ({ value }) }
  const jsonSchema = { input: () => parameters, output: () => parameters }
  const schema = Object.assign(() => {}, { '~standard': { ...standard, jsonSchema } })
  const given = { ...whole, parameters: schema } as unknown as AnyTool
  expect(createRegistry([given]).tools.get('get')?.parameters).toBe(schema)
})

test('unknown keys are allowed', () => {
  for (const key of ['label', 'title', 'version', 'tags', 'strict', 'schema', 'made', 'handler'])
    expect(problemWith({ ...whole, [key]: 'x' })).toBe(undefined)
  expect(problemWith({ ...whole, readOnly: undefined, timeout: undefined })).toBe(undefined)
})

const expectedExecute = 'execute of the tool "get" must be a function, not undefined.'

test.each<readonly [unknown, string]>([
  ...['handler', 'run', 'func', 'fn', 'call', 'invoke', 'callback', 'function'].map(
    (key) => [{ ...bare, [key]: () => 1 }, `${expectedExecute} Rename ${key} to execute.`] as const,
  ),
  [{ name: 'get', handler: () => 1 }, `${expectedExecute} Rename handler to execute.`],
  [{ run: () => 1 }, 'execute of a tool must be a function, not undefined. Rename run'],
  [bare, expectedExecute],
  [{ ...whole, execute: 'ls' }, 'execute of the tool "get" must be a function, not "ls".'],
  [
    { name: 'get', description: '', inputSchema: parameters, execute: () => 1 },
    'not undefined. Rename inputSchema to parameters.',
  ],
  [
    { name: 'get', description: '', schema: z.object({}), execute: () => 1 },
    'Rename schema to parameters.',
  ],
  [{ ...whole, parameters: { city: z.string() } }, 'parameters of the tool "get" must be a'],
  [{ ...whole, parameters: [{ name: 'city' }] }, 'not a list of 1.'],
  [{ ...whole, parameters: undefined }, 'parameters of the tool "get" must be a JSON Schema'],
  [{ ...whole, description: undefined }, 'description of the tool "get" must be a string'],
  [{ ...whole, description: undefined, desc: 'x' }, 'Rename desc to description.'],
  [{ ...whole, name: undefined, id: 'get' }, 'Rename id to name.'],
  [{ ...whole, name: undefined }, 'The name of a tool must be 1 to 128'],
  [
    { type: 'function', function: { name: 'get', parameters } },
    'The tool "get" must be a tool, not a definition for a chat API. Pass the contents of its function',
  ],
  [{ id: 'kit', methods: [] }, 'not a toolkit. Add it with addToolkit()'],
  [null, 'A tool must be an object with name, description, parameters and execute(), not null.'],
  [() => 1, 'not function.'],
  ['Read', 'not "Read".'],
  [[whole], 'not a list of 1.'],
])('%o is rejected', (given, message) => {
  expect(problemWith(given)).toContain(message)
  expect(() => createRegistry([given as AnyTool])).toThrow(TypeError)
})

test.each([
  'readonly',
  'read_only',
  'READ_ONLY',
  'timeOut',
  'idempotant',
  'Repeatable',
  'dangerouse',
])('%s is a near miss', (key) => {
  expect(problemWith({ ...whole, [key]: true })).toMatch(
    new RegExp(`^Unknown key "${key}" in the tool "get". Did you mean [a-zA-Z]+\\?$`),
  )
})

test.each([
  [{ timeoutMs: 5 }, 'Unknown key "timeoutMs" in the tool "get". Write timeout, in milliseconds.'],
  [{ needsApproval: true }, 'Write dangerous: true if every call needs approval.'],
  // Every non-empty text is truthy, even "false".
  [{ readOnly: 'false' }, 'readOnly of the tool "get" must be true or false, not "false".'],
  [{ dangerous: 0 }, 'dangerous of the tool "get" must be true or false, not 0.'],
  [{ timeout: -1 }, 'timeout of the tool "get" must be a positive number of milliseconds'],
  [{ level: 4 }, 'must be 1, 2 or 3, not 4.'],
  [{ show: 'text' }, 'must be a function'],
  [{ preview: 'text' }, 'must be a function'],
  [{ access: 'path' }, 'access of the tool "get" must be an object, not "path".'],
  [{ access: { write: 'path' } }, '"write" in access of the tool "get". Did you mean writes?'],
  [{ access: { reads: true } }, 'reads of access of the tool "get" must be a string'],
  [{ access: { writes: 'path' }, readOnly: true }, 'contradicts its access.'],
])('%j is rejected', (flags, message) => {
  expect(problemWith({ ...whole, ...flags })).toContain(message)
})
