import type { LanguageModelV2, LanguageModelV3, LanguageModelV3CallOptions } from '@ai-sdk/provider'
import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider-4'
import { expect, test } from 'vitest'
import { chunksOf, failureOf } from '../../../test/replies.ts'
import type { ModelRequest } from '../model.ts'
import { aiSdkModel } from './ai-sdk-model.ts'

const counted = {
  inputTokens: { total: 9, noCache: 5, cacheRead: 4, cacheWrite: 0 },
  outputTokens: { total: 3, text: 2, reasoning: 1 },
}
const over = {
  type: 'finish',
  usage: counted,
  finishReason: { unified: 'stop', raw: 'stop' },
} as const

/** A language model that streams these parts and records its requests. */
function fakeLanguageModel(
  parts: readonly object[],
  { isEndless = false } = {},
): LanguageModelV3 & { requests: LanguageModelV3CallOptions[]; cancelled: unknown[] } {
  const requests: LanguageModelV3CallOptions[] = []
  const cancelled: unknown[] = []
  return {
    specificationVersion: 'v3',
    provider: 'fake.chat',
    modelId: 'fake-1',
    supportedUrls: {},
    requests,
    cancelled,
    doGenerate: () => Promise.reject(new Error('not expected')),
    doStream(options) {
      requests.push(options)
      const stream = new ReadableStream({
        start(controller) {
          for (const part of parts) controller.enqueue(part)
          if (!isEndless) controller.close()
        },
        cancel: (reason) => void cancelled.push(reason),
      })
      return Promise.resolve({ stream }) as ReturnType<LanguageModelV3['doStream']>
    },
  }
}

test('converts text, reasoning, calls, usage and finish', async () => {
  const fake = fakeLanguageModel([
    { type: 'stream-start', warnings: [] },
    { type: 'reasoning-start', id: 'r' },
    { type: 'reasoning-delta', id: 'r', delta: 'Hm' },
    { type: 'text-delta', id: 't', delta: 'Hi' },
    { type: 'tool-input-start', id: 'a', toolName: 'ping' },
    { type: 'tool-input-delta', id: 'a', delta: '{"n":' },
    { type: 'tool-input-delta', id: 'a', delta: '1}' },
    { type: 'tool-call', toolCallId: 'a', toolName: 'ping', input: '{"n":1}' },
    { type: 'tool-call', toolCallId: 'b', toolName: 'pong', input: '{}' },
    { type: 'tool-call', toolCallId: 'c', toolName: 'search', input: '{}', providerExecuted: true },
    { ...over, finishReason: { unified: 'tool-calls', raw: undefined } },
  ])
  const model = aiSdkModel(fake)
  expect(model).toMatchObject({ name: 'fake-1', provider: 'fake.chat', native: true })
  const chunks = await chunksOf(model, {
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hello' },
      {
        role: 'assistant',
        content: 'Let me see.',
        calls: [{ id: 'z', name: 'ping', args: { n: 0 } }],
      },
      { role: 'tool', call: 'z', content: 'pong' },
      { role: 'tool', content: 'a text' },
    ],
    tools: [{ name: 'ping', description: 'Pings' }],
    stop: ['</x>'],
    maxTokens: 5,
    temperature: 0,
  })
  expect(chunks).toEqual([
    { type: 'reasoning', delta: 'Hm' },
    { type: 'text', delta: 'Hi' },
    { type: 'call', index: 0, id: 'a', name: 'ping' },
    { type: 'call', index: 0, delta: '{"n":' },
    { type: 'call', index: 0, delta: '1}' },
    { type: 'call', index: 1, id: 'b', name: 'pong', delta: '{}' },
    { type: 'usage', usage: { input: 9, output: 3, cached: 4, reasoning: 1 } },
    { type: 'finish', finish: 'stop' },
  ])
  expect(fake.requests).toMatchObject([
    {
      prompt: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Let me see.' },
            { type: 'tool-call', toolCallId: 'z', toolName: 'ping', input: { n: 0 } },
          ],
        },
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: 'z',
              toolName: 'ping',
              output: { type: 'text', value: 'pong' },
            },
          ],
        },
        { role: 'user', content: [{ type: 'text', text: 'a text' }] },
      ],
      tools: [{ type: 'function', name: 'ping', inputSchema: { type: 'object' } }],
      stopSequences: ['</x>'],
      maxOutputTokens: 5,
      temperature: 0,
    },
  ])
})

test('supports a model of version 2', async () => {
  const fake = fakeLanguageModel([
    { type: 'text-delta', id: 't', delta: 'Hi' },
    {
      type: 'finish',
      finishReason: 'length',
      usage: { inputTokens: 1, outputTokens: 2, totalTokens: 3, cachedInputTokens: 1 },
    },
  ])
  const old = { ...fake, specificationVersion: 'v2' } as unknown as LanguageModelV2
  expect(await chunksOf(aiSdkModel(old, { native: false }))).toEqual([
    { type: 'text', delta: 'Hi' },
    { type: 'usage', usage: { input: 1, output: 2, cached: 1 } },
    { type: 'finish', finish: 'length' },
  ])
})

test('a stream without a finish part is cut off', async () => {
  const model = aiSdkModel(fakeLanguageModel([{ type: 'text-delta', id: 't', delta: 'Hi' }]))
  expect((await chunksOf(model)).at(-1)).toEqual({ type: 'finish', finish: 'broken' })
})

const key = 'sk-abcdefghijklmnopqrstuvwxyz'
test.each([
  [{ statusCode: 429, responseHeaders: { 'retry-after': '2' }, message: key }, 'rate_limited'],
  [{ statusCode: 503, responseBody: '{"error":{"message":"busy"}}' }, 'unavailable'],
  [{ statusCode: 401, message: `no key ${key}` }, 'refused'],
  [{ statusCode: 400, message: 'prompt is too long' }, 'context_overflow'],
  [{ message: 'x', cause: { code: 'ECONNREFUSED' } }, 'unreachable'],
  [{ statusCode: 200, cause: { cause: { code: 'ECONNRESET' } } }, 'cut_off'],
  ['odd', 'garbled'],
  [null, 'garbled'],
])('the error %j is %s', async (thrown, problem) => {
  const inStream = aiSdkModel(fakeLanguageModel([{ type: 'error', error: thrown }]))
  const before = fakeLanguageModel([])
  // A language model rejects with any error of its transport.
  before.doStream = () => Promise.reject(thrown as Error)
  for (const model of [inStream, aiSdkModel(before)]) {
    const error = await failureOf(model)
    expect(error.problem).toBe(problem)
    expect(error.message).not.toContain(key)
    if (problem === 'rate_limited') expect(error.retryAfter).toBe(2000)
  }
})

test('reports a content filter, a reply that is too long, one that hangs, and one that is aborted', async () => {
  const filtered = [{ ...over, finishReason: { unified: 'content-filter', raw: undefined } }]
  expect(await failureOf(aiSdkModel(fakeLanguageModel(filtered)))).toMatchObject({
    problem: 'refused',
  })

  const long = [{ type: 'text-delta', id: 't', delta: 'x'.repeat(11) }]
  const tooLong = aiSdkModel(fakeLanguageModel(long), { maxReply: 10 })
  expect(await failureOf(tooLong)).toMatchObject({ problem: 'too_long' })

  const begun = [{ type: 'text-delta', id: 't', delta: 'x' }]
  const hangs = fakeLanguageModel(begun, { isEndless: true })
  expect(await failureOf(aiSdkModel(hangs, { idleTimeout: 20 }))).toMatchObject({ problem: 'idle' })
  expect(hangs.cancelled).toHaveLength(1)

  const deaf = fakeLanguageModel([])
  deaf.doStream = () => new Promise(() => undefined)
  expect(await failureOf(aiSdkModel(deaf, { timeout: 20 }))).toMatchObject({ problem: 'timeout' })

  const reason = new Error('stopped')
  const controller = new AbortController()
  const stopped = chunksOf(aiSdkModel(fakeLanguageModel([], { isEndless: true })), {
    signal: controller.signal,
  })
  controller.abort(reason)
  await expect(stopped).rejects.toBe(reason)
})

const png = 'data:image/PNG;base64,iVBORw0KGgo='
const hi = [{ type: 'text-delta', id: 't', delta: 'Hi' }, over]

test('passes tool choice, response format, sampling, options by provider, images and prefill', async () => {
  const fake = {
    ...fakeLanguageModel(hi),
    supportedUrls: { 'image/*': [/^https:\/\/example\.com\//g] },
  }
  const facts = { images: true, prefill: true, laterSystem: true }
  const model = aiSdkModel(fake, facts)
  expect(model).toMatchObject(facts)
  await chunksOf(model, {
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image', url: png },
          { type: 'image', url: 'https://Example.com/a.png' },
          { type: 'image', url: 'https://example.com/b.png' },
        ],
      },
    ],
    prefill: '{',
    responseFormat: { type: 'json', schema: { type: 'object' }, name: 'city' },
    topP: 0.5,
    seed: 7,
    body: { fake: { effort: 'low' } },
  })
  await chunksOf(model, { tools: [{ name: 'ping' }], toolChoice: { name: 'ping' } })
  await chunksOf(model, { tools: [{ name: 'ping' }], toolChoice: 'required' })
  await chunksOf(model, { toolChoice: 'none' })
  expect(fake.requests).toMatchObject([
    {
      prompt: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'file', data: 'iVBORw0KGgo=', mediaType: 'image/png' },
            { type: 'file', data: new URL('https://example.com/a.png'), mediaType: 'image/*' },
            { type: 'file', data: new URL('https://example.com/b.png'), mediaType: 'image/*' },
          ],
        },
        { role: 'assistant', content: [{ type: 'text', text: '{' }] },
      ],
      responseFormat: { type: 'json', schema: { type: 'object' }, name: 'city' },
      topP: 0.5,
      seed: 7,
      providerOptions: { fake: { effort: 'low' } },
    },
    { toolChoice: { type: 'tool', toolName: 'ping' } },
    { toolChoice: { type: 'required' } },
    {},
  ])
  // The prefill is not part of later prompts, and a tool choice is not sent without tools.
  expect(fake.requests[1]?.prompt).toHaveLength(1)
  expect(fake.requests[3]).not.toHaveProperty('toolChoice')
})

test('unsupported settings are rejected by name, and nothing is sent', async () => {
  const fake = fakeLanguageModel(hi)
  const model = aiSdkModel(fake, { images: true })
  const refused = async (more: Partial<ModelRequest>): Promise<string> => {
    const error = await failureOf(model, more)
    expect(error.problem).toBe('refused')
    return error.message
  }
  const grammar = { syntax: 'gbnf', text: 'root ::= "a"' } as const
  expect(await refused({ grammar })).toContain('fake-1 supports no grammars')
  expect(await refused({ prefill: 'a' })).toContain('fake-1 cannot continue a prefill.')
  const address = { type: 'image', url: 'https://example.com/a.png' } as const
  const messages = [{ role: 'user', content: [address] }] as const
  expect(await refused({ messages })).toBe(
    'fake-1 does not fetch images from their addresses: pass them as data:image/…;base64,… URLs.',
  )
  await expect(chunksOf(model, { body: { top_k: 1 } })).rejects.toThrow(
    "options by provider, such as { openai: { … } }: put the field 'top_k' below its provider",
  )
  await expect(chunksOf(model, { body: { top_k: 1 } })).rejects.toThrow(TypeError)
  expect(fake.requests).toEqual([])
})

test.each([
  [{ type: 'unsupported', feature: 'seed', details: 'not\nwith this one' }],
  [{ type: 'unsupported-setting', setting: 'seed', details: 'not' }],
])('a requested setting that the model would ignore is rejected: %j', async (warning) => {
  const parts = [{ type: 'stream-start', warnings: [warning] }, ...hi]
  const fake = fakeLanguageModel(parts, { isEndless: true })
  const error = await failureOf(aiSdkModel(fake), { seed: 1 })
  expect(error).toMatchObject({ problem: 'refused' })
  expect(error.message).toBe('fake-1 does not support `seed`: leave it out (not).')
  expect(fake.cancelled).toHaveLength(1)
  // All other warnings are ignored.
  const model = aiSdkModel(fakeLanguageModel(parts))
  expect((await chunksOf(model, { topP: 1 }))[0]).toMatchObject({ delta: 'Hi' })
})

test('supports a language model of version 4', async () => {
  const parts: LanguageModelV4StreamPart[] = [
    { type: 'stream-start', warnings: [] },
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: 'Hi' },
    { type: 'text-end', id: 't' },
    { type: 'tool-call', toolCallId: 'a', toolName: 'ping', input: '{"n":1}' },
    { type: 'finish', usage: counted, finishReason: { unified: 'tool-calls', raw: 'tool_calls' } },
  ]
  const fake: LanguageModelV4 = {
    specificationVersion: 'v4',
    provider: 'fake.chat',
    modelId: 'fake-4',
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('not expected')),
    doStream: () =>
      Promise.resolve({
        stream: new ReadableStream<LanguageModelV4StreamPart>({
          start(controller) {
            for (const part of parts) controller.enqueue(part)
            controller.close()
          },
        }),
      }),
  }
  const model = aiSdkModel(fake)
  expect(model).toMatchObject({ name: 'fake-4', provider: 'fake.chat', native: true })
  expect(await chunksOf(model)).toEqual(await chunksOf(aiSdkModel(fakeLanguageModel(parts))))
  expect(JSON.stringify(await chunksOf(model))).toContain('ping')
})
