// Law 4 with unusual names: printed calls can be read back for any tool name and any argument
// names.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { HOURS, runs } from '../../../../tests/helpers/size.ts'
import { parse, printCall, type Protocol, protocols } from '../index.ts'
import { isUnsafe } from '../schema/property.ts'

const parts = [
  ...['-n', 'x-y', 'a b', '1st', 'a.b', 'naïve', 'class', 'from', '$ref', 'a=b', 'a"b', "it's"],
  ...['', ' ', ':', ',', '{', '}', '[', ']', '(', ')', '<', '>', '/', '&', '#', ';', '\n', '\r\n'],
  ...[
    '日本',
    '「x」',
    '名',
    '&lt;',
    '&#62;',
    '&#;',
    '**',
    '\\',
    '\\n',
    '`',
    '=',
    '@id',
    '|',
    '\ud800',
  ],
  ...['name', 'argument', 'arguments', 'tool_name', 'command', 'command1', 'item', 'None', 'id'],
  ...['</tool_call>', '<tool_call>', '<|"|>', '</parameter>', '</arg_key>', '<argument name="'],
]
const key = fc
  .oneof(
    fc.constantFrom(...parts),
    fc.array(fc.constantFrom(...parts), { maxLength: 4 }).map((some) => some.join('')),
    fc.string({ unit: 'binary', maxLength: 20 }),
  )
  .filter((one) => !isUnsafe(one))

/** A name has at most 256 characters in its written form. */
const toolName = fc
  .oneof(
    fc.constantFrom(...parts),
    fc.array(fc.constantFrom(...parts), { maxLength: 3 }).map((some) => some.join('')),
    fc.string({ unit: 'binary', maxLength: 12 }),
  )
  .filter((one) => one !== '')

describe.each(Object.values(protocols))('$id', (protocol) => {
  test('arguments with any name are read back', { timeout: HOURS }, () => {
    fc.assert(
      fc.property(fc.uniqueArray(key, { minLength: 1, maxLength: 4 }), (keys) => {
        const args = Object.fromEntries(keys.map((one, i) => [one, i % 2 === 0 ? `v${i}` : i]))
        const properties = Object.fromEntries(
          keys.map((one, i) => [one, { type: i % 2 === 0 ? 'string' : 'integer' }]),
        )
        const tools = [{ name: 'ping', parameters: { type: 'object', properties } }]
        const text = printCall(protocol, { name: 'ping', args })
        const { calls } = parse(text, { protocols: protocol, tools })
        expect({ text, calls }).toMatchObject({ text, calls: [{ complete: true, repairs: [] }] })
        expect(calls[0]!.args).toEqual(args)
      }),
      runs(150),
    )
  })

  test('a tool with any name is read back', { timeout: HOURS }, () => {
    fc.assert(
      fc.property(toolName, fc.constantFrom({}, { a: 'x' }, { a: 'x', b: 1 }), (name, args) => {
        const properties = { a: { type: 'string' }, b: { type: 'integer' } }
        const tools = [{ name, parameters: { type: 'object', properties } }]
        const text = printCall(protocol, { name, args })
        const { calls } = parse(text, { protocols: protocol, tools })
        expect({ text, calls }).toMatchObject({
          text,
          calls: [{ name, complete: true, repairs: [] }],
        })
        expect(calls[0]!.args).toEqual(args)
      }),
      runs(100),
    )
  })
})

test('in Python, arguments with unusual names are unpacked from a dictionary, in order', () => {
  const call = { name: 'ls', args: { '-n': true, in: null, path: '.', from: 'x' } }
  const printed = printCall(protocols.pythonic, call)
  expect(printed).toBe('[ls(**{"-n": True}, **{"in": None}, path=".", **{"from": "x"})]')
  const { calls } = parse(printed, { protocols: protocols.pythonic })
  expect(JSON.stringify(calls[0]!.args)).toBe(JSON.stringify(call.args))
})

test('between marks, characters that would end a name are numeric entities', () => {
  const call = { name: 'ls', args: { 'a>b': 'x' } }
  expect(printCall(protocols['qwen3-coder'], call)).toContain('<parameter=a&#62;b>\nx\n')
})

test("between marks, characters that would end a tool's name are numeric entities", () => {
  const print = (protocol: Protocol, name: string): string =>
    printCall(protocol, { name, args: {} })
  expect(print(protocols['qwen3-coder'], 'a>b')).toContain('<function=a&#62;b>')
  expect(print(protocols['kimi-k2'], 'a:b')).toContain('functions.a&#58;b:0')
  // A name that needs no escape is written unchanged.
  expect(print(protocols['qwen3-coder'], 'a b:c')).toContain('<function=a b:c>')
})
