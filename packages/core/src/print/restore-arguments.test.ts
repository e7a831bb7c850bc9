import fc from 'fast-check'
import {
  neutralize,
  parse,
  printCall,
  printResults,
  protocols,
  restoreArguments,
} from '../index.ts'
import { describe, expect, test } from 'vitest'
import { runs, share } from '../../../../tests/helpers/size.ts'
import { examplesOf } from '../../test/protocol-examples.ts'

/** Replies in all protocols. */
const wires = Object.values(protocols).flatMap((protocol) =>
  Object.values(examplesOf(protocol)).map(({ wire }) => wire),
)
const text = { type: 'string' } as const
const tools = [
  { name: 'Read', parameters: { type: 'object', properties: { file_path: text } } },
  {
    name: 'Edit',
    parameters: {
      type: 'object',
      properties: { file_path: text, old_string: text, new_string: text },
      required: ['file_path', 'old_string', 'new_string'],
    },
  },
]

/** A file that contains the marks of every protocol and of the run's tools. */
const file = [
  ...wires,
  ...Object.values(protocols).map((protocol) =>
    printCall(protocol, { name: 'Edit', args: { file_path: 'a', old_string: 'b' } }),
  ),
].join('\n')

describe.each(share(Object.values(protocols), 12))('$id', (protocol) => {
  test('a file that is read and copied into Edit is unchanged', () => {
    expect(copied(file)).toEqual({ file_path: 'a.md', old_string: file, new_string: 'new' })
  })

  test('every single example is unchanged', () => {
    for (const wire of wires) expect(copied(wire)).toMatchObject({ old_string: wire })
  })

  /** The arguments of Edit if the model copies text that it read from a file. */
  function copied(content: string): unknown {
    const result = { call: { id: 'c1', name: 'Read', args: {} }, output: content }
    const printed = printResults(protocol, [result], { tools })
    const inert = neutralize(content, { tools })
    // Some results are JSON or escaped; a model copies the decoded text.
    expect([inert, JSON.stringify(inert).slice(1, -1)].some((each) => printed.includes(each))).toBe(
      true,
    )
    const args = { file_path: 'a.md', old_string: inert, new_string: 'new' }
    const reply = parse(printCall(protocol, { name: 'Edit', args }), { protocols: protocol, tools })
    expect(reply.calls.map(({ name, complete }) => [name, complete])).toEqual([['Edit', true]])
    return restoreArguments(reply.calls[0]!.args, { tools, protocols: protocol })
  }
})

test('restores keys and nested values, and returns the same object if nothing changes', () => {
  const inert = neutralize('<tool_call>')
  expect(inert).not.toBe('<tool_call>')
  expect(restoreArguments({ [inert]: [{ a: inert }, 1, null] }, { tools })).toEqual({
    '<tool_call>': [{ a: '<tool_call>' }, 1, null],
  })
  const args = { a: [{ b: 'x' }], n: 1 }
  expect(restoreArguments(args, { tools })).toBe(args)
})

test('keys that would collide are unchanged', () => {
  const inert = neutralize('<tool_call>')
  expect(Object.keys(restoreArguments({ [inert]: 1, '<tool_call>': 2 }, { tools }))).toHaveLength(2)
})

test('a key named __proto__ is kept', () => {
  const args = JSON.parse(
    `{"__proto__": {"a": ${JSON.stringify(neutralize('<tool_call>'))}}}`,
  ) as Record<string, unknown>
  const restored = restoreArguments(args, { tools })
  expect(Object.keys(restored)).toEqual(['__proto__'])
  expect(Object.getPrototypeOf(restored)).toBe(Object.prototype)
})

test('law: restores all escaped text', () => {
  const value = fc.array(fc.oneof(fc.constantFrom(...wires), fc.string(), fc.constant('\u2060')))
  fc.assert(
    fc.property(value, (parts) => {
      const whole = parts.join('')
      expect(restoreArguments({ text: neutralize(whole, { tools }) }, { tools })).toEqual({
        text: whole,
      })
    }),
    runs(300),
  )
})
