import { neutralize, protocols, restore, restoreArguments } from '@toolglot/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ChatMessage } from '../model/chat-message.ts'
import { foldConversation } from './fold-conversation.ts'

test('contains the system text, then each turn under a label, then the label of the reply', () => {
  const folded = foldConversation([
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Is a up?' },
    { role: 'assistant', content: '<tool_call>…</tool_call>' },
    { role: 'tool', content: 'up' },
    { role: 'system', content: 'Be quick.' },
  ])
  expect(folded).toBe(
    [
      'Be brief.',
      '<|from user|>\nIs a up?',
      '<|from assistant|>\n<tool_call>…</tool_call>',
      '<|from tool|>\nup',
      '<|from system|>\nBe quick.',
      '<|from assistant|>\n',
    ].join('\n\n'),
  )
})

test('a single user message is written without labels', () => {
  expect(foldConversation([{ role: 'user', content: 'Hi.' }])).toBe('Hi.')
  const content = [{ type: 'text' as const, text: 'Hi.' }]
  expect(foldConversation([{ role: 'user', content }])).toBe('Hi.')
})

test('native calls and images are rejected', () => {
  const image = { type: 'image' as const, url: 'data:image/png;base64,AA==' }
  expect(() => foldConversation([{ role: 'user', content: [image] }])).toThrow(
    new TypeError(
      'An image cannot be written as text. Remove it, or use a model that accepts images.',
    ),
  )
  const calls = [{ id: 'a', name: 'ping', args: {} }]
  expect(() => foldConversation([{ role: 'assistant', content: '', calls }])).toThrow(
    new TypeError(
      'Native calls cannot be written as text. Render the messages with a protocol first.',
    ),
  )
})

const ROLES = ['system', 'user', 'assistant', 'tool'] as const
const role = fc.constantFrom(...ROLES)
const label = role.map((each) => `<|from ${each}|>`)
const piece = fc.oneof(
  label,
  label.map((each) => each.replace('<', '<\u2060')),
  fc.tuple(label, fc.nat(14)).map(([each, at]) => each.slice(at)),
  fc.constantFrom('\n', '\u2060', '<', '<|', '<tool_call>', '<|im_end|>'),
  fc.string({ maxLength: 4 }),
)
const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''))
const message: fc.Arbitrary<ChatMessage> = fc
  .tuple(role, text)
  .map(([each, content]) => ({ role: each, content }))
const conversation = fc.array(message, { maxLength: 6 })

describe('laws', () => {
  test('the labels at the starts of lines match the turns', () => {
    fc.assert(
      fc.property(conversation, (messages) => {
        const labels = [...foldConversation(messages).matchAll(/^<\|from (\w+)\|>/gm)]
        const isAlone = messages.length === 1 && messages[0]!.role === 'user'
        const turns = messages
          .map((each) => each.role)
          .slice(messages[0]?.role === 'system' ? 1 : 0)
        expect(labels.map(([, name]) => name)).toEqual(isAlone ? [] : [...turns, 'assistant'])
      }),
      { numRuns: 1000 },
    )
  })

  test('a conversation starts with the previous one and its reply', () => {
    fc.assert(
      fc.property(conversation, text, text, (messages, reply, prompt) => {
        fc.pre(messages.length > 1)
        const before = foldConversation(messages)
        const answered: ChatMessage[] = [...messages, { role: 'assistant', content: reply }]
        const after = foldConversation([...answered, { role: 'user', content: prompt }])
        const [written] = after.slice(before.length).split('\n\n<|from user|>\n')
        expect(after.startsWith(before)).toBe(true)
        if (!reply.includes('<|from ')) expect(written).toBe(reply)
      }),
      { numRuns: 300 },
    )
  })

  test('restores text that the model copies from a result, as in any other run', () => {
    const options = { tools: [{ name: 'ping' }], protocols: protocols.hermes }
    fc.assert(
      fc.property(text, (output) => {
        const shown = neutralize(output, options)
        const folded = foldConversation([
          { role: 'user', content: 'Read it.' },
          { role: 'tool', content: shown },
        ])
        expect(folded).toContain(`<|from tool|>\n${shown}\n\n<|from assistant|>\n`)
        expect(restoreArguments({ value: shown }, options)).toEqual({ value: output })
      }),
      { numRuns: 300 },
    )
  })

  test('restores text that the model copies from a user message', () => {
    fc.assert(
      fc.property(text, (given) => {
        const content = given.replaceAll('\u2060', '')
        expect(restore(foldConversation([{ role: 'user', content }]))).toBe(content)
      }),
      { numRuns: 300 },
    )
  })
})
