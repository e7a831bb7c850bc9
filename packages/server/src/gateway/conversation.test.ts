import { KeptReplies } from '@toolglot/agent/adapter/internal'
import { scriptedModel } from '@toolglot/agent/testing'
import { describe, expect, test } from 'vitest'
import { gatewayWith } from '../../test/gateway-client.ts'
import { messagesOf } from './conversation.ts'
import type { ConversationItem } from './request.ts'

const options = { kept: new KeptReplies(1000), owner: 'me', images: true, note: () => undefined }
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

test('joins consecutive results into one message, with their calls', () => {
  const messages = messagesOf(
    [
      { role: 'user', content: 'Go' },
      reply('', 'a', 'b'),
      { role: 'result', call: 'a', output: '1' },
      { role: 'result', call: 'b', output: '2' },
      { role: 'result', call: 'c', output: '3' },
    ],
    options,
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

test('joins a reply in several messages', () => {
  const messages = messagesOf([reply('One.'), reply('Two.'), reply('', 'a')], options)
  expect(messages).toEqual([{ role: 'assistant', content: 'One.\n\nTwo.', calls: [call('a')] }])
  const many = Array.from({ length: 20_000 }, () => reply('x'.repeat(500)))
  expect(messagesOf(many, options)).toHaveLength(1)
})

test('joins the separate calls of a reply', () => {
  const items = [reply('One.'), reply('', 'a'), reply('', 'b')]
  const calls = [call('a'), call('b')]
  expect(messagesOf(items, options)).toEqual([{ role: 'assistant', content: 'One.', calls }])
})

describe('images in results', () => {
  const image = { type: 'image' as const, url: 'data:image/png;base64,AAAA' }
  const items: ConversationItem[] = [
    reply('', 'a', 'b'),
    { role: 'result', call: 'a', output: '', images: [image] },
    { role: 'result', call: 'b', output: 'text', failed: true },
  ]

  test('follow the results', () => {
    expect(messagesOf(items, options).slice(1)).toEqual([
      {
        role: 'results',
        results: [
          { call: call('a'), output: '' },
          { call: call('b'), output: 'text', failed: true },
        ],
      },
      { role: 'user', content: [{ type: 'text', text: 'The image in the results:' }, image] },
    ])
  })

  test('are left out if the model does not accept them, with a note to the model', () => {
    const notes: string[] = []
    const note = (text: string): void => void notes.push(text)
    const [, results, ...others] = messagesOf(items, { ...options, images: false, note })
    expect(results).toMatchObject({
      results: [{ output: '(An image, which you cannot see.)' }, { output: 'text' }],
    })
    expect(others).toEqual([])
    expect(notes).toEqual(['dropped:image'])
  })
})

test('do not end the conversation in a chat completion', async () => {
  const model = scriptedModel(['Yes.'])
  const client = gatewayWith({ model, protocol: 'hermes' })
  const called = { id: 'x', type: 'function', function: { name: 'look', arguments: '{}' } }
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }
  const response = await client.chat({
    model: 'any',
    messages: [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: null, tool_calls: [called] },
      { role: 'tool', tool_call_id: 'x', content: [image] },
    ],
  })
  expect(response.headers.get('x-toolglot-notes')).toBe('dropped:image')
  expect(JSON.stringify(model.requests[0]!.messages)).toContain('which you cannot see')
})

test("leaves out the user's earlier image for a model without image support, and refuses a new one", async () => {
  const image = { type: 'image' as const, url: 'data:image/png;base64,AAAA' }
  const asked: ConversationItem = {
    role: 'user',
    content: [{ type: 'text', text: 'Look' }, image],
  }
  const notes: string[] = []
  const unseeing = { ...options, images: false, note: (each: string) => void notes.push(each) }
  const [first] = messagesOf([asked, reply('I see.'), { role: 'user', content: 'Go' }], unseeing)
  expect(first).toEqual({ role: 'user', content: 'Look\n\n(An image, which you cannot see.)' })
  expect(notes).toEqual(['dropped:image'])
  expect(messagesOf([reply('Hi.'), asked], unseeing)[1]).toEqual(asked)
})
