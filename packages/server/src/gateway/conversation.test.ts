import { KeptReplies } from '@toolglot/agent/adapter/internal'
import { expect, test } from 'vitest'
import { messagesOf } from './conversation.ts'
import type { ConversationItem } from './request.ts'

const kept = new KeptReplies(1000)
const call = (id: string): { id: string; name: string; args: object } => ({
  id,
  name: 'look',
  args: {},
})
const reply = (content: string, ...ids: string[]): ConversationItem => ({
  role: 'assistant',
  content,
  calls: ids.map(call) as [],
})

test('results that follow each other are one message, with their calls', () => {
  const messages = messagesOf(
    [
      { role: 'user', content: 'Go' },
      reply('', 'a', 'b'),
      { role: 'result', call: 'a', output: '1' },
      { role: 'result', call: 'b', output: '2' },
      { role: 'result', call: 'c', output: '3' },
    ],
    'me',
    kept,
  )
  expect(messages.slice(1)).toEqual([
    { role: 'assistant', content: '', calls: [call('a'), call('b')] },
    {
      role: 'results',
      results: [
        { call: call('a'), output: '1' },
        { call: call('b'), output: '2' },
        { call: { id: 'c', name: 'unknown', args: {} }, output: '3' },
      ],
    },
  ])
})

test('a reply in several messages is one', () => {
  const messages = messagesOf([reply('One.'), reply('Two.'), reply('', 'a')], 'me', kept)
  expect(messages).toEqual([{ role: 'assistant', content: 'One.\n\nTwo.', calls: [call('a')] }])
  const many = Array.from({ length: 20_000 }, () => reply('x'.repeat(500)))
  expect(messagesOf(many, 'me', kept)).toHaveLength(1)
})
