// `argsMissing`: a complete call without any arguments, not even an empty object.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { finish } from '../../test/finish.ts'
import { spoiled } from '../../test/mutations.ts'
import { HOURS, runs } from '../../../../tests/helpers/size.ts'
import { kinds, waysOf } from '../../test/sources.ts'
import { read } from '../check/reading.ts'
import { parse, type ProtocolId } from '../index.ts'

const closed = { type: 'object', properties: { n: {} }, additionalProperties: false }

test.each<[ProtocolId, text: string, missing: boolean]>([
  ['hermes', '<tool_call>{"name": "ping"}</tool_call>', true],
  ['hermes', '<tool_call>{"name": "ping", "arguments": {}}</tool_call>', false],
  ['hermes', '<tool_call>{"arguments": {}, "name": "ping"}</tool_call>', false],
  ['hermes', '<tool_call>{"name": "ping", "arguments": null}</tool_call>', false],
  ['hermes', '<tool_call>{"name": "ping", "arguments": "{}"}</tool_call>', false],
  ['hermes', '<tool_call>{"name": "ping", "arguments": {"x": 1}}</tool_call>', false],
  ['hermes', '<tool_call>{"name": "ping", "n": 1}</tool_call>', false],
  ['hermes', '<tool_call>{"name": "ping", "type": "function"}</tool_call>', true],
  ['ptk', '<PTK_CALL>{"tool": "ping", "reasoning": "why"}</PTK_CALL>', true],
  ['ptk', '<PTK_BATCH>[{"tool": "ping"}]</PTK_BATCH>', true],
  ['ptk', '<PTK_BATCH>[{"tool": "ping", "args": {}}]</PTK_BATCH>', false],
  ['llama3', '<function=ping>{}</function>', false],
  ['mistral', '[TOOL_CALLS]ping[ARGS]{}', false],
  ['gemma4', '<|tool_call>call:ping{}<tool_call|>', false],
  ['pythonic', '[ping()]', false],
  ['tool-yaml', 'TOOL: ping\nARGS:\n\n', false],
  ['tool-xml', '<tool name="ping">\n</tool>', true],
  ['tool-xml', '<tool name="ping"><arg name="n">1</arg></tool>', false],
  // The argument is dropped, but the model did write it.
  ['tool-xml', '<tool name="ping"><arg name="x">1</arg></tool>', false],
  ['tool-xml', '<tool name="ping"><arg name="arguments">{}</arg></tool>', false],
  [
    'minimax-m3',
    ']<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name="ping">\n]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call>',
    true,
  ],
  ['morph-xml', '<ping>\n</ping>', true],
  ['vcp', '<<<[TOOL_REQUEST]>>>\ntool_name:「始」ping「末」\n<<<[END_TOOL_REQUEST]>>>', true],
  [
    'vcp',
    '<<<[TOOL_REQUEST]>>>\ntool_name:「始」ping「末」,\nn:「始」1「末」\n<<<[END_TOOL_REQUEST]>>>',
    false,
  ],
])('%s: %j: %j', (id, text, missing) => {
  const tools = [{ name: 'ping', parameters: closed }]
  const [call, ...others] = parse(text, { protocols: id, tools }).calls
  expect(others).toEqual([])
  expect(call).toMatchObject({ name: 'ping', complete: true })
  expect(call?.argsMissing).toBe(missing ? true : undefined)
})

test('is unknown for a call that was cut off', () => {
  const text = '<tool_call>{"name": "ping"'
  const [call] = parse(text, { protocols: 'hermes', finish: 'length' }).calls
  expect(call).toMatchObject({ name: 'ping', args: {}, complete: false })
  expect(call).not.toHaveProperty('argsMissing')
})

describe.each(kinds)('$kind', ({ list }) => {
  test('is set only for complete calls without arguments', { timeout: HOURS }, () => {
    fc.assert(
      fc.property(spoiled(list), finish, ({ source, text }, end) => {
        for (const way of waysOf(source)) {
          for (const { argsMissing, args, complete } of read([text], way, end).reply.calls) {
            if (argsMissing) expect([args, complete]).toEqual([{}, true])
          }
        }
      }),
      runs(300),
    )
  })
})
