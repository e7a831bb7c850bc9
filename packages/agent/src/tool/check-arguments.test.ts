import { expect, test } from 'vitest'
import { z } from 'zod'
import { ownSchema } from '../../test/standard-schema.ts'
import { checkArguments } from './check-arguments.ts'

const zod = z.strictObject({
  path: z.string(),
  limit: z.int().optional(),
  mode: z.enum(['content', 'count']).optional(),
  edits: z.array(z.strictObject({ from: z.string(), to: z.string() })).optional(),
  when: z.union([z.string(), z.number()]).optional(),
  pages: z.string().regex(/^\d+$/, 'Use pages such as 3').optional(),
})
const json = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    limit: { type: 'integer' },
    mode: { enum: ['content', 'count'] },
    edits: { type: 'array', items: { $ref: '#/$defs/edit' } },
    when: { anyOf: [{ type: 'string' }, { type: 'number' }] },
    pages: { type: 'string', pattern: '^\\d+$' },
  },
  required: ['path'],
  additionalProperties: false,
  $defs: {
    edit: {
      type: 'object',
      properties: { from: { type: 'string' }, to: { type: 'string' } },
      required: ['from', 'to'],
      additionalProperties: false,
    },
  },
}

async function problems(parameters: Parameters<typeof checkArguments>[0], args: unknown) {
  const checked = await checkArguments(parameters, args)
  return 'problems' in checked ? checked.problems : []
}

test.each([
  ['zod', zod],
  ['JSON Schema', json],
])(
  '%s: problems contain the argument, the rule, the value and a similar name',
  async (_, schema) => {
    const problemsWith = (args: object) => problems(schema, args)
    expect(await problemsWith({ path: 'a', limit: 1, mode: 'count', when: 1, pages: '3' })).toEqual(
      [],
    )
    expect(await problemsWith({})).toEqual(['path: missing; must be a string'])
    expect(await problemsWith({ path: 7 })).toEqual(['path: must be a string, not 7'])
    expect(await problemsWith({ path: 'a', limit: 'ten' })).toEqual([
      'limit: must be a whole number, not "ten"',
    ])
    expect(await problemsWith({ path: 'a', limt: 1 })).toEqual([
      'unknown argument "limt". Did you mean "limit"?',
    ])
    expect(await problemsWith({ path: 'a', recursively: 1 })).toEqual([
      'unknown argument "recursively". The arguments are path, limit, mode, edits, when, pages.',
    ])
    expect(await problemsWith({ path: 'a', mode: 'contents' })).toEqual([
      'mode: must be one of "content", "count", not "contents". Did you mean "content"?',
    ])
    expect(await problemsWith({ path: 'a', edits: [{ from: 'x', too: 'y' }] })).toEqual([
      'edits/0/to: missing; must be a string',
      'edits/0: unknown argument "too". Did you mean "to"?',
    ])
    expect(await problemsWith({ path: 'a', edits: 'x' })).toEqual([
      'edits: must be a list, not "x"',
    ])
  },
)

test('problems found only by the validator contain its message and the value', async () => {
  expect(await problems(zod, { path: 'a', pages: 'two' })).toEqual([
    'pages: Use pages such as 3, got "two"',
  ])
  const [branches] = await problems(zod, { path: 'a', when: true })
  expect(branches).toMatch(/^when: must be .*, not true$/)
  const [pattern] = await problems(json, { path: 'a', pages: 'two' })
  expect(pattern).toMatch(/^pages: must match the pattern.*, got "two"$/)
})

test.each(['objects', 'keys'] as const)(
  'supports any Standard Schema, with paths of %s',
  async (paths) => {
    const schema = ownSchema({ name: 'string', count: 'number' }, { paths })
    expect(await checkArguments(schema, { name: 'a', count: 1 })).toEqual({
      args: { name: 'a', count: 1 },
    })
    expect(await problems(schema, { name: 1 })).toEqual([
      'name: needs a string, got 1',
      'count: needs a number (it is missing)',
    ])
    const withJsonSchema = ownSchema(
      { name: 'string' },
      { paths, jsonSchema: { type: 'object', properties: { name: { type: 'string' } } } },
    )
    expect(await problems(withJsonSchema, { name: 1 })).toEqual(['name: must be a string, not 1'])
  },
)

test('long values and many problems do not lead to a long message', async () => {
  const [long] = await problems(zod, { path: 'a', limit: 'x'.repeat(100_000) })
  expect(long!.length).toBeLessThan(200)
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`zz${at}`, 1]))
  const lines = await problems(zod, { path: 'a', ...many })
  expect(lines).toHaveLength(11)
  expect(lines.at(-1)).toMatch(/^and \d+ more$/)
})

test.each(['__proto__', 'constructor', 'prototype'])(
  '%s is not allowed as an argument',
  async (key) => {
    const top = JSON.parse(`{ "path": "a", "${key}": { "polluted": true } }`) as object
    const deep = JSON.parse(`{ "path": "a", "when": [{ "${key}": 1 }] }`) as object
    const open = { type: 'object' }
    expect(await problems(open, top)).toEqual([`${key}: an argument must not have this name`])
    expect(await problems(open, deep)).toEqual([
      `when/0/${key}: an argument must not have this name`,
    ])
    expect(await problems(z.looseObject({}), top)).toHaveLength(1)
  },
)

test('accepts a declared argument named constructor', async () => {
  const racing = { type: 'object', properties: { constructor: { type: 'string' } } }
  expect(await checkArguments(racing, { constructor: 'Lotus' })).toEqual({
    args: { constructor: 'Lotus' },
  })
  expect(await problems(racing, { constructor: 1 })).toEqual([
    'constructor: must be a string, not 1',
  ])
})

test('endlessly nested arguments are reported as a problem', async () => {
  const loop: Record<string, unknown> = { path: 'a' }
  loop['when'] = loop
  expect(await problems({ type: 'object' }, loop)).toEqual([
    'The data is nested more than 200 levels deep.',
  ])
})

test.each([
  ['zod', z.looseObject({ list: z.unknown() })],
  ['JSON Schema', { type: 'object' }],
])('%s: a tool receives plain, frozen copies of its arguments', async (_, schema) => {
  const written = Object.assign(Object.create(null) as object, { list: [{ a: 1 }], none: null })
  const checked = await checkArguments(schema, written)
  if (!('args' in checked)) throw new Error(checked.problems.join())
  const { args } = checked
  const [first] = args['list'] as [Record<string, unknown>]
  expect(Object.getPrototypeOf(args)).toBe(Object.prototype)
  expect(() => (args['more'] = 1)).toThrow(TypeError)
  expect(() => (first['a'] = 2)).toThrow(TypeError)
  expect(() => (args['list'] as unknown[]).push(1)).toThrow(TypeError)
  expect(Object.isFrozen(written)).toBe(false)
  expect(written).toEqual({ list: [{ a: 1 }], none: null })
})
