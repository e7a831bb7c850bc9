import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse, protocols, type ToolDefinition } from '../index.ts'
import { duplicateKeyIn } from './text.ts'

test.each([
  ['{"a":1,"a":2}', 'a'],
  ['{"a" : 1 , "b":{}, "\\u0061":2}', 'a'],
  ['[{"a":1},{"a":2,"b":[{"c":1,"c":{}}]}]', 'c'],
  ['{"a":{"a":{"x":1}},"b":{"y":{"":0,"":1}}}', ''],
  ['{"__proto__":1,"__proto__":2}', '__proto__'],
  ['{"a":"x\\"","a":"\\\\"}', 'a'],
])('%s has a duplicate key %j', (json, key) => {
  expect(duplicateKeyIn(json)).toBe(key)
})

test.each([
  '{}',
  '"a"',
  '{"a":{"a":{"a":1}}}',
  '[{"a":1},{"a":2}]',
  '{"a":"{\\"b\\":1,\\"b\\":2}","c":"\\"a\\":"}',
  '{"a":["a","a"],"A":1,"a ":2}',
])('%s has no duplicate key', (json) => {
  expect(duplicateKeyIn(json)).toBeUndefined()
})

test('printed JSON has no duplicate keys unless a member is repeated', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), (object, at) => {
      const json = JSON.stringify(object)
      expect(duplicateKeyIn(json)).toBeUndefined()
      const keys = Object.keys(object)
      if (keys.length === 0) return
      const key = keys[at % keys.length]!
      const twice = `[0, ${json.slice(0, -1)}, ${JSON.stringify(key)}: null}]`
      expect(duplicateKeyIn(twice)).toBe(key)
    }),
  )
})

test('never hangs or throws on text cut between keys', () => {
  const json = '{"a":"x\\"y","b":{"c":[1,"d"]}}'
  for (let end = 0; end <= json.length; end++)
    expect(duplicateKeyIn(json.slice(0, end))).toBeUndefined()
})

describe('a duplicate key in a call', () => {
  const integer = { type: 'integer' }
  const tools: ToolDefinition[] = [
    {
      name: 'ping',
      parameters: {
        type: 'object',
        properties: {
          n: integer,
          o: { type: 'object', properties: { a: integer } },
          l: { type: 'array' },
        },
      },
    },
  ]
  const inside = (args: string): string => `{"name": "ping", "arguments": ${args}}`
  const text = (json: string): string => JSON.stringify(json)

  test.each([
    ['plain', inside('{"n": 1, "n": 2}')],
    ['nested', inside('{"o": {"a": 1, "a": 2}}')],
    ['in a list', inside('{"l": [{"a": 1, "a": 2}]}')],
    ['another type', inside('{"o": {"a": "1", "a": "2"}}')],
    ['in a string', inside(text('{"n": 1, "n": 2}'))],
    ['before the name', '{"arguments": {"n": "1", "o": {"a": 1, "a": 2}}, "name": "ping"}'],
    ['next to the name', '{"name": "ping", "n": 1, "n": 2}'],
    ['nested next to the name', '{"name": "ping", "o": {"a": 1, "a": 2}}'],
    ['repaired', "{'name': 'ping', 'arguments': {'o': {'a': 1, 'a': 2}}}"],
  ])('is reported: %s', (_, call) => {
    for (const given of [{}, { tools }]) {
      const options = { protocols: protocols.hermes, ...given }
      const { calls } = parse(`<tool_call>\n${call}\n</tool_call>`, options)
      expect(calls.map(({ repairs }) => repairs.includes('duplicate-key'))).toEqual([true])
    }
  })

  test.each([
    [
      'a property as text',
      'hermes',
      `<tool_call>${inside(`{"o": ${text('{"a": 1, "a": 2}')}}`)}</tool_call>`,
    ],
    [
      'a list as text',
      'hermes',
      `<tool_call>${inside(`{"l": ${text('[{"a": 1, "a": 2}]')}}`)}</tool_call>`,
    ],
    [
      'in another notation',
      'hermes',
      `<tool_call>${inside(`{"o": ${text("{'a': 1, 'a': 2}")}}`)}</tool_call>`,
    ],
    ['in YAML', 'tool-yaml', 'TOOL: ping\nARGS:\n  o: {"a": 1, "a": 2}\n'],
  ])('leaves the call as text: %s', (_, protocol, reply) => {
    for (const given of [{}, { tools }]) {
      const { calls } = parse(reply, { protocols: protocols[protocol]!, ...given })
      for (const { args } of calls) expect(typeof (args['o'] ?? args['l'])).toBe('string')
    }
  })

  test.each([
    [
      'a second object',
      'hermes',
      `<tool_call>${inside('{}')}\n${inside('{"n": 1, "n": 2}')}</tool_call>`,
    ],
    [
      'two names',
      'hermes',
      `<tool_call>${inside('{}')}\n{"name": "x", "name": "ping", "arguments": {}}</tool_call>`,
    ],
    ['YAML in a tag', 'yaml-xml', '<ping>\nn: 1\nn: 2\n</ping>'],
    ['nested YAML', 'yaml-xml', '<ping>\no:\n  a: 1\n  a: 2\n</ping>'],
  ])('yields no call: %s', (_, protocol, reply) => {
    expect(parse(reply, { protocols: protocols[protocol]!, tools }).calls).toEqual([])
  })
})
