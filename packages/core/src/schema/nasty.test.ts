import { describe, expect, test } from 'vitest'
import { counted } from '../../../../tests/helpers/counted.ts'
import { heavySchemas, memberDiamond, nastySchemas } from '../../test/nasty-schemas.ts'
import { parse, parseArguments, printPrompt, type ProtocolId, protocols } from '../index.ts'
import { coerceValue, insideMayChange } from './coerce.ts'
import { refuses } from './property.ts'
import { typesOf } from './types.ts'
import { share } from '../../../../tests/helpers/size.ts'

const ARGUMENTS = '{"a": {"a": ["1"], "b": "x"}, "b": [["1"]], "p0": "1", "P_1": 3}'
const ids = Object.keys(protocols) as ProtocolId[]

describe.each(share(nastySchemas, 12))('%s', (_, parameters) => {
  const tools = [{ name: 'f', parameters }]

  test('prompts are printed and no longer than the schema', () => {
    for (const id of ids) expect(printPrompt(id, tools).length).toBeLessThan(6_000_000)
  })

  test.each([
    `<tool_call>{"name": "f", "arguments": ${ARGUMENTS}}</tool_call>`,
    `{"name": "f", "arguments": ${ARGUMENTS}}`,
    '<tool_call><function=f><parameter=a>{"a": 1}</parameter></function></tool_call>',
    '<invoke name="f"><parameter name="a"><a>1</a></parameter></invoke>',
  ])('a call is read: %s', (text) => {
    expect(parse(text, { tools }).calls).toHaveLength(1)
  })

  test('arguments are read', () => {
    expect(parseArguments(ARGUMENTS, parameters)).toMatchObject({ complete: true })
  })
})

test('a recursive schema is printed in a few lines', () => {
  for (const id of ids)
    expect(printPrompt(id, [{ name: 'f', parameters: memberDiamond() }]).length).toBeLessThan(
      20_000,
    )
  const shared: Record<string, unknown> = { type: 'object' }
  shared['properties'] = { one: shared, two: shared }
  for (const id of share(ids, 12))
    expect(printPrompt(id, [{ name: 'f', parameters: shared }]).length).toBeLessThan(20_000_000)
})

describe('each step examines a bounded part of a schema', () => {
  test.each(share(nastySchemas, 12))('%s', (_, given) => {
    const { value: schema, reads } = counted(given)
    typesOf(schema, schema)
    refuses(schema, 'a', schema)
    insideMayChange(schema, schema)
    coerceValue({ a: ['1', { b: '2' }], p0: '1' }, schema, schema)
    // Lists must be read to their end.
    expect(reads()).toBeLessThan(300_000)
  })

  test('results are cached', () => {
    const { value: schema, reads } = counted(heavySchemas['wide properties']!)
    const properties = Object.entries(schema['properties'] as object)
    const before = reads()
    for (const [, property] of properties) typesOf(property, schema)
    // Alternatives that all properties refer to are visited only once.
    expect((reads() - before) / properties.length).toBeLessThan(30)
  })
})
