import { parse, printCall, type Protocol, protocols, type ToolDefinition } from '@toolglot/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { scripted } from '../../../test/scripted.ts'
import { collect, turn } from '../../index.ts'
import { callOpener } from './prefill.ts'
import { runs } from '../../../../../tests/helpers/size.ts'

const weather: ToolDefinition = {
  name: 'get_weather',
  description: 'Tells the weather',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' }, days: { type: 'integer' } },
    required: ['city'],
  },
}
const time: ToolDefinition = {
  name: 'get_weather_time',
  description: 'Tells the time',
  parameters: { type: 'object', properties: { zone: { type: 'string' } } },
}
const tools = [weather, time]

/** Plain words, because the forbidden characters differ between protocols. */
const word = fc.stringMatching(/^[A-Za-z][a-z]{0,8}$/)
const calls = fc.oneof(
  fc.record({
    name: fc.constant(weather.name),
    args: fc.oneof(fc.record({ city: word, days: fc.nat() }), fc.record({ city: word })),
  }),
  fc.record({
    name: fc.constant(time.name),
    args: fc.oneof(fc.record({ zone: word }), fc.constant({})),
  }),
)

/** Protocols in which the calls of different tools have no common beginning. */
const NAMES_ONLY = new Set(['morph-xml', 'pythonic', 'tool-function', 'yaml-xml'])

describe.each(Object.values(protocols))('$id', (protocol: Protocol) => {
  test('starts a call of any tool, unless calls start with the name', () => {
    expect(callOpener(protocol, tools) === undefined).toBe(NAMES_ONLY.has(protocol.id))
  })

  test('starts a call of one tool and no other', () => {
    for (const { name } of tools) {
      const opener = callOpener(protocol, tools, name)
      expect(opener).toContain(name)
      expect(opener!.endsWith(name)).toBe(false)
    }
  })

  test("a prefill's continuation is parsed as exactly that call", () => {
    fc.assert(
      fc.property(calls, fc.boolean(), ({ name, args }, isNamed) => {
        const opener = callOpener(protocol, tools, isNamed ? name : undefined) ?? ''
        const printed = printCall(protocol, { name, args })
        expect(printed.startsWith(opener)).toBe(true)
        const rest = printed.slice(opener.length)
        const read = parse(rest, { protocols: protocol, tools, prefix: opener })
        expect(read.calls).toMatchObject([{ name, args, complete: true, repairs: [] }])
        expect(read.text.trim()).toBe('')
      }),
      runs(20),
    )
  })

  test('is accepted by turn()', async () => {
    const opener = callOpener(protocol, tools, weather.name)!
    const call = { name: weather.name, args: { city: 'Hue' } }
    const model = scripted([printCall(protocol, call).slice(opener.length)], { prefill: true })
    const options = { model, tools, protocol, prompt: 'Go', prefill: opener }
    const { calls: read } = await collect(turn(options))
    expect(read).toMatchObject([{ ...call, complete: true }])
  })
})

test.each([
  ['hermes', '<tool_call>\n{"name": "', '<tool_call>\n{"name": "get_weather", "arguments": {"'],
  ['qwen3-coder', '<tool_call>\n<function=', '<tool_call>\n<function=get_weather>\n<parameter='],
  ['mistral', '[TOOL_CALLS]', '[TOOL_CALLS]get_weather[ARGS]{"'],
  ['mistral-small', '[TOOL_CALLS]', '[TOOL_CALLS]get_weather[CALL_ID]'],
  ['glm-4.7', '<tool_call>', '<tool_call>get_weather<arg_key>'],
  ['pythonic', undefined, '[get_weather('],
  ['llama3-json', '{"name": "', '{"name": "get_weather", "parameters": {"'],
] as const)('%s', (id, any, named) => {
  expect(callOpener(protocols[id], tools)).toBe(any)
  expect(callOpener(protocols[id], tools, weather.name)).toBe(named)
})
