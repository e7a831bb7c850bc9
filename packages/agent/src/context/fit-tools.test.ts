import {
  parse,
  printCall,
  printPrompt,
  protocols,
  type Schema,
  type ToolDefinition,
} from '@toolglot/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nastySchemas } from '../../../core/test/nasty-schemas.ts'
import { scripted } from '../../test/scripted.ts'
import { clientTools } from '../../test/client-tools.ts'
import { collect, turn } from '../index.ts'
import { checkArguments } from '../tool/check-arguments.ts'
import { compactSchema } from './compact-schema.ts'
import { compactTools, fitTools } from './fit-tools.ts'
import { runs, share } from '../../../../tests/helpers/size.ts'

const levels = [1, 2] as const

async function isValid(schema: Schema, args: unknown): Promise<boolean> {
  return 'args' in (await checkArguments(schema, args))
}

/** A schema, and a value of its type. */
interface Typed {
  readonly schema: Schema
  readonly value: unknown
}

const name = fc.constantFrom('path', 'mode', 'items', 'title', 'description', 'a b', '__x')
const prose = fc.constantFrom('What it is. '.repeat(30), 'Short', '世界。'.repeat(90))

const { typed } = fc.letrec<{ typed: Typed; object: Typed }>((tie) => ({
  typed: fc.oneof(
    { maxDepth: 3 },
    fc.string().map((value) => ({ schema: { type: 'string', maxLength: 1000 }, value })),
    fc.nat({ max: 9 }).map((value) => ({
      schema: { type: 'integer', minimum: 0, maximum: 9_007_199_254_740_991, title: 'N' },
      value,
    })),
    fc.boolean().map((value) => ({ schema: { type: 'boolean', default: true }, value })),
    fc.constantFrom('one', 'two').map((value) => ({ schema: { enum: ['one', 'two'] }, value })),
    fc.tuple(fc.constant(null), prose).map(([value, description]) => ({
      schema: { type: ['string', 'null'], description },
      value,
    })),
    tie('typed').map(({ schema, value }) => ({
      schema: { type: 'array', items: schema, examples: [[]] },
      value: [value, value],
    })),
    fc.tuple(tie('typed'), tie('typed')).map(([one, other]) => ({
      schema: { anyOf: [one.schema, other.schema] },
      value: other.value,
    })),
    tie('object'),
  ),
  object: fc
    .tuple(
      fc.uniqueArray(fc.tuple(name, tie('typed'), fc.boolean()), { selector: ([key]) => key }),
      prose,
    )
    .map(([members, description]) => ({
      schema: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        description,
        properties: Object.fromEntries(members.map(([key, { schema }]) => [key, schema])),
        required: members.flatMap(([key, , isRequired]) => (isRequired ? [key] : [])),
        additionalProperties: false,
      },
      value: Object.fromEntries(members.map(([key, { value }]) => [key, value])),
    })),
}))
const object = typed.filter(({ schema }) => schema['type'] === 'object')

test.each(levels)(
  'level %i accepts all values that the whole schema accepts, and no other types',
  async (level) => {
    await fc.assert(
      fc.asyncProperty(
        object,
        fc.constantFrom('x', 1.5, true, null, [[]], {}),
        fc.nat(),
        async ({ schema, value }, other, at) => {
          const short = compactSchema(schema, level)
          expect(await isValid(schema, value)).toBe(true)
          expect(await isValid(short, value)).toBe(true)
          // Types, required arguments and choices match the whole schema.
          const keys = Object.keys(value as object)
          const key = keys[at % keys.length]
          if (key === undefined) return
          const { [key]: _, ...without } = value as Record<string, unknown>
          for (const wrong of [{ ...without, [key]: other }, without])
            expect([wrong, await isValid(short, wrong)]).toEqual([
              wrong,
              await isValid(schema, wrong),
            ])
          expect(JSON.stringify(compactSchema(short, level))).toBe(JSON.stringify(short))
        },
      ),
      runs(150),
    )
  },
)

describe.each(Object.entries(clientTools))('the tools of %s', (_, tools) => {
  test.each(levels)('have the same names, types and choices at level %i', (level) => {
    const before = JSON.stringify(tools)
    const short = compactTools(tools, level)
    expect(JSON.stringify(tools)).toBe(before)
    expect(JSON.stringify(short).length).toBeLessThanOrEqual(before.length)
    expect(short.map(skeletonOf)).toEqual(tools.map(skeletonOf))
  })
})

/** The parts of a definition that must not be removed. */
function skeletonOf({ name, parameters }: ToolDefinition): unknown {
  const visit = (schema: unknown): unknown => {
    if (Array.isArray(schema)) return schema.map(visit)
    if (typeof schema !== 'object' || schema === null) return schema
    const all = schema as Record<string, unknown>
    const kept = ['type', 'required', 'enum', 'const', 'format'].map((key) => [key, all[key]])
    const inner = ['items', 'anyOf', 'allOf'].map((key) => [key, visit(all[key])])
    const members = Object.entries((all['properties'] ?? {}) as object)
    return [kept, inner, members.map(([key, each]) => [key, visit(each)])]
  }
  return [name, visit(parameters)]
}

test('descriptions end with a sentence or an ellipsis', () => {
  const sentence = 'It reads a file, e.g. a text. '
  const tool = {
    name: 'read',
    description: sentence.repeat(40),
    parameters: { type: 'object', properties: { path: { description: 'a🌏'.repeat(99) } } },
  }
  const [one] = compactTools([tool], 1)
  expect(one!.description).toBe(sentence.repeat(13).trim())
  const { path } = one!.parameters!['properties'] as { path: { description: string } }
  expect(path.description).toBe(`${'a🌏'.repeat(39)}a…`)
  const [two] = compactTools([tool], 2)
  expect(two).toEqual({
    name: 'read',
    description: sentence.trim(),
    parameters: { type: 'object', properties: { path: {} } },
  })
})

test('keep only referenced definitions', () => {
  const parameters = {
    type: 'object',
    properties: { tree: { $ref: '#/$defs/node' }, same: { $ref: '#/properties/tree' } },
    $defs: {
      node: { type: 'object', title: 'Node', properties: { next: { $ref: '#/$defs/other' } } },
      other: {
        anyOf: [{ $ref: '#/$defs/node' }, { $ref: '#/$defs/gone' }, { $ref: 'http://x/y' }],
      },
      unused: { type: 'string' },
    },
  }
  expect(compactSchema(parameters, 2)).toEqual({
    type: 'object',
    properties: { tree: { $ref: '#/$defs/node' }, same: { $ref: '#/properties/tree' } },
    $defs: {
      node: { type: 'object', properties: { next: { $ref: '#/$defs/other' } } },
      other: { anyOf: [{ $ref: '#/$defs/node' }, {}, {}] },
    },
  })
})

test('limit hostile schemas', () => {
  const cyclic: Record<string, unknown> = { type: 'object' }
  cyclic['properties'] = { one: cyclic, two: cyclic }
  let deep: Schema = { type: 'string' }
  for (let at = 0; at < 50_000; at++) deep = { type: 'array', items: deep }
  const proto = JSON.parse(
    '{"properties": {"__proto__": {"type": "string", "title": "x"}}, "__proto__": {"enum": [1]}}',
  ) as Schema
  const odd = {
    properties: [1],
    required: 'x',
    anyOf: {},
    items: null,
    $ref: 5,
    $defs: 'no',
    description: 5,
  }
  for (const level of levels) {
    for (const schema of [cyclic, deep, odd])
      expect(compactSchema(schema, level)).toBeTypeOf('object')
    const short = compactSchema(proto, level)
    expect(JSON.stringify(short)).toBe('{"properties":{"__proto__":{"type":"string"}}}')
    expect(Object.getPrototypeOf(short)).toBe(Object.prototype)
  }
})

test("compact tools don't change how calls are parsed", async () => {
  const tool: ToolDefinition = {
    name: 'read',
    description: 'Reads. '.repeat(200),
    parameters: {
      type: 'object',
      properties: { path: { type: 'string', description: 'Where it is.' } },
      additionalProperties: false,
    },
  }
  const text = printCall('hermes', { name: 'read', args: { path: 'a', more: 1 } })
  const [compact] = compactTools(compactTools([tool], 1), 2)
  const model = scripted([text])
  const { calls, prompt } = await collect(turn({ model, prompt: 'Go', tools: [compact!] }))
  expect(prompt[0]!.content).toContain('"description": "Reads."')
  expect(prompt[0]!.content).not.toContain('Where it is.')
  const [whole] = parse(text, { protocols: 'hermes', tools: [tool] }).calls
  expect(calls[0]).toMatchObject({ args: whole!.args, repairs: whole!.repairs })
  expect(whole!.repairs).toEqual(['unknown-key'])
})

describe('fitting', () => {
  const tools = clientTools['claude-code']!
  const { hermes } = protocols
  const fit = (contextTokens: number | undefined, otherTokens = 500) =>
    fitTools(tools, { protocol: hermes, contextTokens, otherTokens })

  test('uses the least compact level that leaves enough space', () => {
    expect(fit(undefined).tools).toBe(tools)
    const all = fit(1_000_000)
    expect(all).toMatchObject({ level: 0 })
    const one = fit(all.tokens * 2 - 2)
    expect(one.level).toBe(1)
    const two = fit(one.tokens * 2 - 2)
    expect(two.level).toBe(2)
    const three = fit(two.tokens * 2 - 2)
    expect(three.level).toBe(3)
    expect(fit(10)).toEqual(three)
    expect(three.tokens).toBeLessThan(two.tokens)
    expect(two.tokens).toBeLessThan(one.tokens)
    expect(one.tokens).toBeLessThan(all.tokens)
    expect(printPrompt(hermes, two.tools).length).toBeLessThan(
      printPrompt(hermes, one.tools).length,
    )
  })

  test('leaves space for the rest of the prompt and a reply', () => {
    const { tokens } = fit(undefined)
    expect(fit(tokens * 3, tokens * 2 - 2000).level).toBe(0)
    expect(fit(tokens * 3, tokens * 2 - 1999).level).toBe(1)
  })

  test('returns the same lists for the same list', () => {
    expect(fit(9000).tools).toBe(fit(9000).tools)
    const options = { protocol: undefined, contextTokens: 10, otherTokens: 0 }
    expect(fitTools(tools, options)).toMatchObject({ level: 2 })
    expect(fitTools([], options)).toEqual({ tools: [], level: 0, tokens: 0 })
  })
})

test.each(share(nastySchemas, 8))('a hostile schema takes little time: %s', (_, parameters) => {
  const tool = { name: 'f', description: 'Does it', parameters }
  for (const level of [0, 1, 2, 3] as const) {
    const tools = compactTools([tool], level)
    expect(printPrompt('hermes', tools).length).toBeLessThan(6_000_000)
  }
})
