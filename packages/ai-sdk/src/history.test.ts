import type { LanguageModelV3Message, LanguageModelV3ToolResultPart } from '@ai-sdk/provider'
import { expect, test } from 'vitest'
import { historyOf } from './history.ts'
import { KeptReplies } from '@toolglot/agent/adapter/internal'
import { promptOf } from './request.ts'

const kept = new KeptReplies(1000)
const call = {
  type: 'tool-call' as const,
  toolCallId: 'a',
  toolName: 'read',
  input: { path: 'x' },
}
const message = { id: 'a', name: 'read', args: { path: 'x' } }

function resultsOf(...outputs: LanguageModelV3ToolResultPart['output'][]): unknown {
  const content = outputs.map((output) => ({
    type: 'tool-result' as const,
    toolCallId: 'a',
    toolName: 'read',
    output,
  }))
  return historyOf(
    [
      { role: 'assistant', content: [call] },
      { role: 'tool', content },
    ],
    kept,
  ).messages.slice(1)
}

test.each([
  [{ type: 'text', value: 'ok' }, { output: 'ok' }],
  [
    { type: 'json', value: { a: 1 } },
    { output: '{"a":1}', data: { a: 1 } },
  ],
  [
    { type: 'error-text', value: 'no' },
    { output: 'no', failed: true },
  ],
  [
    { type: 'error-json', value: ['no'] },
    { output: '["no"]', data: ['no'], failed: true },
  ],
  [
    { type: 'execution-denied', reason: 'Not now.' },
    {
      output: 'The user denied this call. It was not run. The reason: Not now.',
      failed: true,
      status: 'denied',
    },
  ],
  [
    { type: 'execution-denied' },
    { output: 'The user denied this call. It was not run.', failed: true, status: 'denied' },
  ],
  [
    {
      type: 'content',
      value: [
        { type: 'text', text: 'one' },
        { type: 'file-url', url: 'https://example.com/a.pdf' },
        { type: 'custom' },
      ],
    },
    { output: 'one\nhttps://example.com/a.pdf\n(custom, which cannot be shown)' },
  ],
  ...['/images/a.png', 'a.png', '', 'file:///etc/passwd', 'http://['].map(
    (url) => [{ type: 'content', value: [{ type: 'image-url', url }] }, { output: url }] as const,
  ),
] as const)('the output %j', (output, result) => {
  expect(resultsOf(output as LanguageModelV3ToolResultPart['output'])).toEqual([
    { role: 'results', results: [{ call: message, ...result }] },
  ])
})

test('consecutive results are one message, followed by their files', () => {
  const messages = resultsOf(
    { type: 'content', value: [{ type: 'image-data', data: 'AA==', mediaType: 'image/png' }] },
    { type: 'content', value: [{ type: 'image-url', url: 'https://example.com/b.png' }] },
  )
  expect(messages).toEqual([
    {
      role: 'results',
      results: [
        { call: message, output: '(1 attached below)' },
        { call: message, output: '(1 attached below)' },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'image', url: 'file:0' },
        { type: 'image', url: 'file:1' },
      ],
    },
  ])
})

test('files of version 4 are unchanged', () => {
  const data = { type: 'data', data: new Uint8Array([1]) }
  const prompt = [
    { role: 'user', content: [{ type: 'file', data, mediaType: 'image/png' }] },
    { role: 'assistant', content: [call] },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'a',
          toolName: 'read',
          output: { type: 'content', value: [{ type: 'file', data, mediaType: 'image/png' }] },
        },
      ],
    },
  ] as unknown as LanguageModelV3Message[]
  const { files } = historyOf(prompt, kept)
  expect([...files.values()]).toEqual([
    { type: 'file', data, mediaType: 'image/png' },
    { type: 'file', data, mediaType: 'image/png' },
  ])
})

test('files in a user message keep their places', () => {
  const file = {
    type: 'file' as const,
    data: new Uint8Array([1, 2]),
    mediaType: 'application/pdf',
    filename: 'a.pdf',
    providerOptions: { p: { cache: true } },
  }
  const text = { type: 'text' as const, text: 'What is this?' }
  const { messages, files, besides } = historyOf([{ role: 'user', content: [file, text] }], kept)
  const [user] = messages
  if (user?.role !== 'user') throw new Error('expected a user message')
  const [out] = promptOf([user], { files, besides })
  expect(out).toEqual({ role: 'user', content: [file, text] })
  expect(out!.content[0]).toBe(file)
})

test('a reply keeps its text, calls, plain reasoning and files', () => {
  const reasoning = { type: 'reasoning' as const, text: 'Hm.' }
  const file = { type: 'file' as const, data: 'AA==', mediaType: 'image/png' }
  const { messages, besides } = historyOf(
    [
      {
        role: 'assistant',
        content: [
          reasoning,
          { ...reasoning, providerOptions: { p: { signature: 's' } } },
          { ...reasoning, text: '' },
          { type: 'text', text: 'One. ' },
          file,
          call,
          { type: 'text', text: '\n\nTwo.' },
        ],
      },
      { role: 'assistant', content: [reasoning] },
      { role: 'assistant', content: [file] },
    ],
    kept,
  )
  expect(messages).toEqual([
    { role: 'assistant', content: 'One.\n\nTwo.', calls: [message] },
    { role: 'assistant', content: '' },
  ])
  expect(besides).toEqual([[reasoning, file], [file]])
})

test('reasoning in the model’s own words is not repeated', () => {
  const replies = new KeptReplies(2000)
  const content = '<think>\nHm.\n</think>\n<raw>'
  replies.keep({ text: '', calls: [message] }, { role: 'assistant', content, calls: [message] })
  const own = { type: 'reasoning' as const, text: 'Hm.' }
  const separate = { type: 'reasoning' as const, text: 'First.' }
  const prompt = [{ role: 'assistant' as const, content: [separate, own, call] }]
  expect(historyOf(prompt, replies)).toMatchObject({
    messages: [{ content }],
    besides: [[separate]],
  })
})

test("a call of a provider's tool is a call with a result", () => {
  const output = { type: 'text' as const, value: 'found' }
  const { messages } = historyOf(
    [
      {
        role: 'assistant',
        content: [
          { ...call, providerExecuted: true },
          { type: 'tool-result', toolCallId: 'a', toolName: 'read', output },
          { type: 'text', text: 'Here.' },
        ],
      },
    ],
    kept,
  )
  expect(messages).toEqual([
    { role: 'assistant', content: '', calls: [message] },
    { role: 'results', results: [{ call: message, output: 'found' }] },
    { role: 'assistant', content: 'Here.' },
  ])
})

test('unusual inputs, results without a call, and approval responses are accepted', () => {
  const { messages } = historyOf(
    [
      { role: 'assistant', content: [{ ...call, input: '{"path": "x' }] },
      {
        role: 'tool',
        content: [
          { type: 'tool-approval-response', approvalId: 'q', approved: true },
          {
            type: 'tool-result',
            toolCallId: 'z',
            toolName: 'other',
            output: { type: 'text', value: 'v' },
          },
        ],
      },
    ],
    kept,
  )
  expect(messages).toEqual([
    { role: 'assistant', content: '', calls: [{ ...message, args: {} }] },
    { role: 'results', results: [{ call: { id: 'z', name: 'other', args: {} }, output: 'v' }] },
  ])
})

test('a reply is found unless it was changed or dropped', () => {
  const replies = new KeptReplies(2000)
  const written = { role: 'assistant' as const, content: '<raw>', calls: [message] }
  const calls = [{ id: 'a', name: 'read', args: { path: 'x', limit: 1 } }]
  replies.keep({ text: 'I look.', calls }, written)
  expect(replies.find({ text: 'I look. ', calls })).toBe(written)
  const other = (args: object) =>
    replies.find({ text: 'I look.', calls: [{ ...calls[0]!, ...args }] })
  expect(other({ args: { limit: 1, path: 'x' } })).toBe(written)
  expect(other({ args: { limit: 2, path: 'x' } })).toBeUndefined()
  expect(other({ name: 'write' })).toBeUndefined()
  expect(other({ id: 'b' })).toBeUndefined()
  expect(replies.find({ text: 'Changed.', calls })).toBeUndefined()
  expect(replies.find({ text: 'I look.', calls: [...calls, ...calls] })).toBeUndefined()
  for (const id of ['b', 'c', 'd', 'e'])
    replies.keep({ text: '', calls: [{ ...calls[0]!, id }] }, written)
  expect(other({})).toBeUndefined()
  expect(replies.find({ text: '', calls: [{ ...calls[0]!, id: 'e' }] })).toBe(written)
})
