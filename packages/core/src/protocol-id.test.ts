import { describe, expect, test } from 'vitest'
import {
  createParser,
  explain,
  neutralize,
  parse,
  printCall,
  printCalls,
  printPrompt,
  printResult,
  type ProtocolId,
  protocols,
} from './index.ts'

const { hermes, mistral } = protocols
const call = { name: 'ping', args: { n: 1 } }
const tools = [{ name: 'ping' }]

describe('the id of a protocol', () => {
  test('is equivalent to the protocol', () => {
    const text = printCall(hermes, call)
    const options = { makeId: String }
    expect(printCall('hermes', call)).toBe(text)
    expect(printCalls('hermes', [call, call])).toBe(printCalls(hermes, [call, call]))
    expect(printPrompt('hermes', tools)).toBe(printPrompt(hermes, tools))
    expect(printResult('hermes', { call, output: text })).toBe(
      printResult(hermes, { call, output: text }),
    )
    expect(neutralize(text, { protocols: 'hermes' })).toBe(neutralize(text))
    expect(parse(text, { ...options, protocols: 'hermes' })).toEqual(
      parse(text, { ...options, protocols: hermes }),
    )
    expect(explain(text, { protocols: 'hermes' })).toEqual(explain(text, { protocols: hermes }))
  })

  test('may be in a list with protocols', () => {
    const text = printCall(mistral, call)
    const list = ['hermes', mistral] as const
    for (let time = 0; time < 2; time++) {
      expect(parse(text, { protocols: list }).calls).toMatchObject([{ protocol: 'mistral' }])
    }
  })

  test.each([
    ['hermez', 'Unknown protocol "hermez". Did you mean hermes? Object.keys(protocols) lists them'],
    ['tool_call', 'Unknown protocol "tool_call". Did you mean tool-call? '],
    ['granite-5', 'Unknown protocol "granite-5". Did you mean granite or granite-4? '],
    ['Qwen3-8B', 'Unknown protocol "Qwen3-8B". Object.keys(protocols) lists them; protocolFor'],
    ['gpt', 'Unknown protocol "gpt". Object.keys(protocols) '],
    ['toString', 'Unknown protocol "toString". Object.keys(protocols) '],
  ])('%s is unknown', (id, message) => {
    const unknown = id as ProtocolId
    for (const use of [
      () => printCall(unknown, call),
      () => printPrompt(unknown, []),
      () => printResult(unknown, { call, output: '' }),
      () => createParser({ protocols: unknown }),
      () => parse('', { protocols: [hermes, unknown] }),
      () => explain('', { protocols: unknown }),
    ]) {
      expect(use).toThrow(TypeError)
      expect(use).toThrow(message)
    }
  })

  test('is checked by the compiler', () => {
    // @ts-expect-error -- no protocol has this id
    expect(() => printPrompt('hermez', [])).toThrow(TypeError)
    // @ts-expect-error -- the same in options
    expect(() => parse('', { protocols: 'hermez' })).toThrow(TypeError)
    const known: readonly ProtocolId[] = ['hermes', 'qwen3-coder']
    expect(known.map((id) => protocols[id].id)).toEqual(known)
    // Any other string may be used for a lookup, which may fail.
    const id: string = 'hermez'
    expect(protocols[id]?.id).toBeUndefined()
  })
})
