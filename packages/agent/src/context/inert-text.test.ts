import { neutralize, parse, printCalls, protocols, restore } from '@toolglot/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs, share } from '../../../../tests/helpers/size.ts'
import { textOf } from '../model/chat-message.ts'
import { inertText } from './inert-text.ts'
import { renderAssistant } from './render-assistant.ts'

const tools = [
  { name: 'ping', parameters: { type: 'object', properties: { host: { type: 'string' } } } },
  { name: 'bash' },
]
const SEED = fc.readConfigureGlobal()?.seed ?? 0

test('removes the calls and neutralizes the marks of unreadable ones', () => {
  const { hermes } = protocols
  const content = `I look.\n${printCalls(hermes, [{ name: 'ping', args: {} }])}\nAnd <tool_call>{"name": 5}</tool_call>`
  const { segments } = parse(content, { protocols: hermes, tools })
  expect(inertText(content, segments, { protocols: hermes, tools })).toBe(
    'I look.\n\nAnd <\u2060tool_call>{"name": 5}<\u2060/tool_call>',
  )
})

test('a mark copied from a result gets no second joiner', () => {
  const { hermes } = protocols
  const content = '<tool_call>{"name": 5, "arguments": "<\u2060tool_call>"}</tool_call>'
  const { segments } = parse(content, { protocols: hermes, tools })
  const text = inertText(content, segments, { protocols: hermes, tools })
  expect(text).toBe(
    '<\u2060tool_call>{"name": 5, "arguments": "<\u2060tool_call>"}<\u2060/tool_call>',
  )
  expect(restore(text, { protocols: hermes, tools })).toBe(content.replaceAll('\u2060', ''))
})

/**
 * A reply with two calls and random damage, either anywhere or only in the arguments of the first
 * call.
 */
const damaged = (id: string): fc.Arbitrary<string> => {
  const calls = [
    { name: 'ping', args: { host: 'a' }, id: 'abcdefghi' },
    { name: 'bash', args: { command: 'ls "x" {' }, id: 'abcdefghj' },
  ].map((call) => printCalls(protocols[id]!, [call]))
  const call = fc.constantFrom(...calls)
  // In protocols without marks, text counts as a malformed call only if it starts the reply and
  // contains the name of a tool.
  const inArguments = fc
    .tuple(call, call, fc.nat(), fc.constantFrom('{', '"', '['))
    .map(([one, other, where, more]) => {
      const from = Math.max(one.indexOf('ping'), one.indexOf('bash')) + 'ping'.length
      const at = from + (where % (one.length - from))
      return one.slice(0, at) + more + one.slice(at) + other
    })
  const damage = fc.tuple(
    fc.nat(),
    fc.nat(4),
    fc.constantFrom('', '{', '}', '"', '<', '[', ']', '</', '`'),
  )
  const anywhere = fc
    .tuple(
      fc.constantFrom('', 'Hi.\n'),
      call,
      fc.constantFrom('', '\nand '),
      call,
      fc.constantFrom('', ' end'),
      fc.array(damage, { minLength: 1, maxLength: 3 }),
      fc.option(fc.nat()),
    )
    .map(([start, one, between, other, end, all, cut]) => {
      let text = start + one + between + other + end
      for (const [where, length, more] of all) {
        const at = where % text.length
        text = text.slice(0, at) + more + text.slice(at + length)
      }
      return cut === null ? text : text.slice(0, cut % (text.length + 1))
    })
    .filter((text) => text !== '')
  return fc.oneof(anywhere, inArguments)
}

const isBroken = ({ segments }: ReturnType<typeof parse>): boolean =>
  segments.some(({ type }) => type === 'malformed')

const numbered = Object.values(protocols).map((protocol, number) => ({ protocol, number }))

describe.each(share(numbered, 3))('$protocol.id', ({ protocol, number }) => {
  test.each([
    ['its own reader', { tools, protocols: protocol }],
    ['the reader of all', { tools, protocols: undefined }],
  ])('finds no call in the text of a reply malformed by %s', (_, options) => {
    fc.assert(
      fc.property(damaged(protocol.id), (content) => {
        const reply = parse(content, options)
        fc.pre(isBroken(reply))
        const text = inertText(content, reply.segments, options)
        const again = parse(text, options)
        expect([again.calls, isBroken(again)]).toEqual([[], false])
        // The rendered text, followed by the calls.
        const calls = reply.calls.map(({ id, name, args }) => ({ id, name, args }))
        const rendering = { protocol, tools, roles: [], resultRole: 'user' } as const
        const rendered = renderAssistant({ role: 'assistant', content: text, calls }, rendering)
        const read = parse(textOf(rendered.content), options).calls
        expect(read.length).toBeLessThanOrEqual(calls.length)
      }),
      { ...runs(8), seed: SEED + number },
    )
  })

  test('finds no call in text sent back by a client', () => {
    const options = { tools, protocols: protocol }
    const rendering = { protocol, tools, roles: [], resultRole: 'user' } as const
    fc.assert(
      fc.property(damaged(protocol.id), (content) => {
        const message = { role: 'assistant', content } as const
        const rendered = textOf(renderAssistant(message, rendering).content)
        const read = parse(rendered, options)
        expect(read.calls.filter(({ otherProtocol }) => !otherProtocol)).toEqual([])
        if (neutralize(content, options) !== content) expect(isBroken(read)).toBe(false)
        else expect(rendered).toBe(content)
        expect(textOf(renderAssistant({ ...message }, rendering).content)).toBe(rendered)
        const inRequest = { ...rendering, toolsIn: 'request' } as const
        expect(renderAssistant(message, inRequest).content).toBe(content)
      }),
      { ...runs(8), seed: SEED + number },
    )
  })
})
