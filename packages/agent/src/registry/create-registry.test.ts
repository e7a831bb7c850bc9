import { parse, printCall, protocols } from '@toolglot/core'
import { prompt as hermesPrompt } from '@toolglot/core/protocols/hermes'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { executeWith, messageOf } from '../../test/execute-with.ts'
import { ownSchema } from '../../test/standard-schema.ts'
import { tool } from '../tool/tool.ts'
import { createRegistry } from './create-registry.ts'

const { hermes, vcp } = protocols as Record<'hermes' | 'vcp', (typeof protocols)[string]>

function named(name: string, parameters: object = { type: 'object', properties: {} }) {
  return tool({
    name,
    description: `What ${name} does`,
    parameters: parameters as Record<string, unknown>,
    readOnly: true,
    execute: (args) => JSON.stringify(args),
  })
}

test('a tool is found only by its name or an alias', () => {
  const add = named('add')
  const registry = createRegistry()
  registry.add(add, { aliases: ['plus', '加'] })
  expect(['add', 'plus', '加'].map((name) => registry.find(name))).toEqual([add, add, add])
  for (const other of ['Add', 'ADD', ' add', 'add ', 'ad', 'toString', '__proto__', ''])
    expect(registry.find(other)).toBe(undefined)
  expect([...registry.tools.keys()]).toEqual(['add'])
})

test('a call by an alias runs and is decided on as a call of its tool', async () => {
  const registry = createRegistry()
  const parameters = z.strictObject({ n: z.number() })
  const execute = ({ n }: { n: number }) => n + 1
  registry.add(tool({ name: 'add', description: 'Adds', parameters, execute }), {
    aliases: ['plus'],
  })
  const call = { name: 'plus', args: { n: 1 } }
  expect(messageOf(await executeWith(registry, call, { allow: ['add'] }))).toBe('2')
  expect(messageOf(await executeWith(registry, call))).toContain('no rule allows add')
})

test.each([
  ['the same name', 'add', [], 'add', []],
  ['another case', 'add', [], 'ADD', []],
  ['full-width letters', 'add', [], 'ａｄｄ', []],
  ['a prefix that models add', 'add', [], 'functions.add', []],
  ['an alias that is the name of another tool', 'add', [], 'sum', ['Add']],
  ['a name that is the alias of another tool', 'sum', ['Add'], 'add', []],
  ['two aliases', 'sum', ['plus'], 'add', ['PLUS']],
  ['the alias of a canonical tool', 'Read', [], 'read_file', []],
  ['the name of a canonical tool', 'read_file', [], 'Read', []],
  ['a canonical tool in another case', 'Bash', [], 'bash', []],
])('%s collides, and the error contains both names', (_, one, ones, other, others) => {
  const registry = createRegistry()
  registry.add(named(one), { aliases: ones })
  const before = registry.revision
  const add = () => registry.add(named(other), { aliases: others })
  expect(add).toThrow(TypeError)
  expect(add).toThrow(JSON.stringify(one))
  expect(add).toThrow(JSON.stringify(other))
  expect([...registry.tools.keys()]).toEqual([one])
  expect(registry.revision).toBe(before)

  registry.remove(one)
  add()
  expect([...registry.tools.keys()]).toEqual([other])
})

test('an alias cannot be added twice for the same tool', () => {
  expect(() => createRegistry().add(named('a'), { aliases: ['a'] })).toThrow(
    'collide: rename or remove one of them',
  )
})

test.each(['', ' ', 'a b', 'a\nb', 'a\0', 'a\u202eb', '-a', 'a'.repeat(129), 'e\u0301', 'a"b', 7])(
  '%j is not a valid name',
  (name) => {
    expect(() => createRegistry([{ ...named('a'), name: name as string }])).toThrow(
      'The name of a tool must be 1 to 128',
    )
  },
)

test.each(['mcp__files__read.file', 'mcp__a__b', 'a_b_c', 'get-task', 'ns.tool', '查询', '_x1'])(
  'a printed call of a tool named %s is parsed',
  (name) => {
    const registry = createRegistry([named(name)])
    for (const protocol of [hermes, vcp]) {
      const text = printCall(protocol, { name, args: {} })
      const [call] = parse(text, { protocols: protocol, tools: registry.known() }).calls
      expect(registry.find(call!.name)?.name).toBe(name)
    }
  },
)

test('a schema that cannot be converted for a model is rejected immediately', () => {
  const silent = tool({
    name: 'silent',
    description: '',
    parameters: ownSchema({ a: 'string' }),
    execute: () => 1,
  })
  expect(() => createRegistry([silent])).toThrow('schema cannot be converted to JSON')
})

test('the prompt of each protocol is cached until something changes', () => {
  const registry = createRegistry([named('one')])
  const prompt = vi.fn(hermesPrompt)
  const counted = { ...hermes, prompt }
  const first = registry.prompt(counted)
  expect(first).toContain('What one does')
  expect(registry.prompt(counted)).toBe(first)
  expect(registry.prompt(vcp)).toContain('tool_name:「始」one「末」')
  expect(prompt).toHaveBeenCalledTimes(1)

  registry.add(named('two'))
  expect(registry.prompt(counted)).toContain('What two does')
  registry.configure({ toolToggles: { one: false } })
  expect(registry.prompt(counted)).not.toContain('What one does')
  expect(prompt).toHaveBeenCalledTimes(3)

  const before = registry.revision
  registry.invalidateCache()
  registry.prompt(counted)
  expect(prompt).toHaveBeenCalledTimes(4)
  expect(registry.revision).toBe(before)
})

test('without tools the prompt is empty', () => {
  expect(createRegistry().prompt(hermes)).toBe('')
  expect(createRegistry([named('one')], { enabled: false }).prompt(hermes)).toBe('')
})

test('each added middleware can be removed separately', () => {
  const registry = createRegistry()
  const pass = () => Promise.reject(new Error('not run here'))
  const remove = registry.use(pass)
  registry.use(pass)
  expect(registry.middleware).toHaveLength(2)
  remove()
  remove()
  expect(registry.middleware).toHaveLength(1)
  expect(() => registry.use('log' as never)).toThrow('must be a function')
})

test('a disabled tool is unknown', async () => {
  const registry = createRegistry([named('one'), named('two')], { toolToggles: { one: false } })
  expect(registry.find('one')).toBe(undefined)
  expect(registry.definitions().map(({ name }) => name)).toEqual(['two'])
  expect(messageOf(await executeWith(registry, { name: 'one', args: {} }))).toBe(
    'Unknown tool "one". Known tools: two.',
  )
})

test('arguments of the call override presets, which override defaults of the schema', async () => {
  const properties = { a: { default: 1 }, b: { default: 1 }, c: { default: 1 }, d: {} }
  const schema = { type: 'object', properties, required: ['a', 'b', 'c', 'd'] }
  const registry = createRegistry([named('show', schema)], {
    presets: { show: { b: 2, c: 2, d: 2 } },
  })
  const call = { name: 'show', args: { c: 3 } }
  expect(JSON.parse(messageOf(await executeWith(registry, call)))).toEqual({
    a: 1,
    b: 2,
    c: 3,
    d: 2,
  })
  const [definition] = registry.definitions()
  expect(definition!.parameters!['required']).toEqual(['a'])
  expect(JSON.stringify(definition)).not.toContain('2')
  expect(await executeWith(createRegistry([named('show', schema)]), call)).toMatchObject({
    failure: { message: 'show: d: missing' },
  })
})

test('defaults are decided on like all arguments', async () => {
  const execute = () => 'read'
  const parameters = z.object({ path: z.string().default('/etc/shadow') })
  const one = { name: 'peek', description: 'Reads', parameters, execute }
  const peek = tool({ ...one, access: { reads: 'path', readOnly: true } })
  const call = { name: 'peek', args: {} }
  expect(messageOf(await executeWith(createRegistry([peek]), call))).toContain('/etc/shadow')
  const preset = createRegistry([peek], { presets: { peek: { path: 'a' } } })
  expect(messageOf(await executeWith(preset, call))).toBe('read')
  const set = createRegistry([peek], { presets: { peek: { path: '/etc/passwd' } } })
  expect(messageOf(await executeWith(set, call))).toContain('/etc/passwd')
})

test('a schema must not change a path', async () => {
  const execute = () => 'read'
  const parameters = z.object({ path: z.string().transform((path) => `/etc/${path}`) })
  const access = { reads: 'path', readOnly: true }
  const peek = tool({ name: 'peek', description: 'Reads', parameters, access, execute })
  // The tool's input can be converted to JSON Schema.
  const registry = createRegistry([peek])
  expect(await executeWith(registry, { name: 'peek', args: { path: 'shadow' } })).toMatchObject({
    failure: { details: { code: 'schema_changes_reach' } },
  })
})

test('a tool with the name of a canonical tool is decided on as that tool', async () => {
  const execute = () => 'ran'
  const bash = tool({
    name: 'Bash',
    description: 'Mine',
    parameters: { type: 'object' },
    readOnly: true,
    execute,
  })
  const registry = createRegistry([bash])
  expect(registry.access.has('Bash')).toBe(false)
  const call = { name: 'Bash', args: { command: 'rm -rf /' } }
  expect(await executeWith(registry, call)).toMatchObject({
    failure: { error_type: 'permission_denied' },
  })
})

test('a call with a duplicate key does not run', async () => {
  const registry = createRegistry([named('show')])
  const text = '<tool_call>\n{"name": "show", "arguments": {"a": 1, "a": 2}}\n</tool_call>'
  const [call] = parse(text, { protocols: hermes, tools: registry.known() }).calls
  const { name, args, repairs } = call!
  expect(messageOf(await executeWith(registry, { name, args, trust: { repairs } }))).toContain(
    'are ambiguous (duplicate-key)',
  )
})
