import { printCalls, protocols } from '@toolglot/core'
import { describe, expect, test } from 'vitest'
import type { ChatRendering } from './chat-rendering.ts'
import type { AssistantMessage } from './message.ts'
import { renderAssistant } from './render-assistant.ts'

const tools = [
  { name: 'ping', parameters: { type: 'object', properties: { times: { type: 'integer' } } } },
]
const { hermes, mistral } = protocols
const native: ChatRendering = { protocol: undefined, tools, roles: [], resultRole: 'user' }
const ping = { id: 'c1', name: 'ping', args: { times: 1, to: { b: 'x', a: [null] } } }
const other = { id: 'c2', name: 'ping', args: { times: 2 } }
const wrote = `I look.\n${printCalls(hermes, [ping])}`

describe.each(Object.values(protocols))('$id', (protocol) => {
  test.each<[string, AssistantMessage]>([
    ['beside the text', { role: 'assistant', content: 'I look.', calls: [ping, other] }],
    [
      'in the text and beside it',
      {
        role: 'assistant',
        content: `I look.\n${printCalls(hermes, [ping, other])}`,
        calls: [ping, other],
      },
    ],
    [
      'in its content',
      {
        role: 'assistant',
        content: `I look.\n${printCalls(mistral, [ping, other])}`,
        calls: [ping, other],
        protocol: 'mistral',
      },
    ],
  ])('prints each call of a message once: %s', (_, message) => {
    const calls = [ping, other]
    expect(renderAssistant(message, { ...native, protocol })).toEqual({
      role: 'assistant',
      content: `I look.\n${printCalls(protocol, calls)}`,
    })
    for (const inRequest of [native, { ...native, protocol, toolsIn: 'request' as const }])
      expect(renderAssistant(message, inRequest)).toEqual({
        role: 'assistant',
        content: 'I look.',
        calls,
      })
  })
})

test('text is unchanged unless a call is removed from it', () => {
  const render = (content: string): unknown =>
    renderAssistant({ role: 'assistant', content, calls: [ping] }, native).content
  expect(render('  I look.\n')).toBe('  I look.\n')
  expect(render(`<think>Hm.</think>${wrote}\nSoon.`)).toBe('I look.\n\nSoon.')
})

test('a call that is not in the list of calls is text', () => {
  const content = `${wrote}\nOr:\n${printCalls(hermes, [other])}`
  expect(renderAssistant({ role: 'assistant', content, calls: [ping] }, native)).toEqual({
    role: 'assistant',
    content: `I look.\n\nOr:\n${printCalls(hermes, [other])}`,
    calls: [ping],
  })
})

test('a call is recognized even if its arguments were read without types or in another order', () => {
  const content = `I look.\n${printCalls(hermes, [{ name: 'ping', args: { b: 1, a: true } }])}`
  const calls = [{ id: 'c1', name: 'ping', args: { a: 'true', b: '1' } }]
  expect(renderAssistant({ role: 'assistant', content, calls }, native)).toEqual({
    role: 'assistant',
    content: 'I look.',
    calls,
  })
})

test('marks of malformed calls in another protocol are inert', () => {
  const content = 'I look.\n<tool_call>\n{"name": 5}\n</tool_call>'
  const message: AssistantMessage = { role: 'assistant', content, protocol: 'hermes' }
  expect(renderAssistant(message, { ...native, protocol: mistral }).content).toBe(
    content.replaceAll('<', '<\u2060'),
  )
})

test.each([
  ['without calls', {}, ''],
  ['beside calls', { calls: [other] }, `\n${printCalls(hermes, [other])}`],
])('marks of a malformed call sent back as text are inert: %s', (_, more, printed) => {
  const content = '  I look.\n<tool_call>\n{"name": 5}\n</tool_call>'
  const inert = content.trim().replaceAll('<', '<\u2060')
  const render = (rendering: Partial<ChatRendering>): unknown =>
    renderAssistant({ role: 'assistant', content, ...more }, { ...native, ...rendering }).content
  expect(render({ protocol: hermes })).toBe(inert + printed)
  expect(render({ protocol: hermes, toolsIn: 'request' })).toBe(content)
  // The content is read as a call neither in another protocol nor without tools.
  expect(render({ protocol: mistral })).toContain(content)
  expect(render({ protocol: hermes, tools: [] })).toContain(content)
})

test.each([
  '  Nothing special.\n',
  'In XML, <div> is a tag, and [1] a reference: {"a": 1}.\n```json\n{"name": "x"}\n```\n',
  '<think>\nHm.\n</think>\nYes, `</tool_call>` ends a call.\n',
  'Ping is {"name": "pong", "arguments": {}}.',
])('other text sent back is unchanged: %j', (content) => {
  for (const protocol of [hermes, mistral, protocols['qwen3-coder'], protocols.pythonic])
    expect(renderAssistant({ role: 'assistant', content }, { ...native, protocol }).content).toBe(
      content,
    )
})
