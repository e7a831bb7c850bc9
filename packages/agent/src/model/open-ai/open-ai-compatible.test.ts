import { describe, expect, test } from 'vitest'
import { answer, delta, eventOf, events, modelServer } from '../../../test/model-server.ts'
import { chunksOf, request, textIn } from '../../../test/replies.ts'
import type { ModelChunk } from '../model.ts'
import { openAiCompatible, type OpenAiOptions } from './open-ai-compatible.ts'

const done = '[DONE]'
const stop = delta({}, 'stop')

async function replyTo(
  datas: readonly unknown[],
  options: Partial<OpenAiOptions> = {},
): Promise<ModelChunk[]> {
  const { url } = await modelServer(events(...datas))
  return chunksOf(openAiCompatible({ url, model: 'm', ...options }))
}

test('reads a streamed reply: text, reasoning, usage and finish', async () => {
  const { url, requests } = await modelServer(
    events(
      delta({ role: 'assistant', content: '' }),
      delta({ reasoning_content: 'Hm. ' }),
      delta({ content: 'Xin ' }),
      delta({ content: 'chào' }),
      stop,
      {
        choices: [],
        usage: {
          prompt_tokens: 9,
          completion_tokens: 3,
          prompt_tokens_details: { cached_tokens: 4 },
          completion_tokens_details: { reasoning_tokens: 1 },
        },
      },
      done,
    ),
  )
  const model = openAiCompatible({ url, model: 'qwen3:8b', key: 'secret', provider: 'ollama' })
  expect(await chunksOf(model, { stop: ['</x>'], maxTokens: 7, temperature: 0 })).toEqual([
    { type: 'reasoning', delta: 'Hm. ' },
    { type: 'text', delta: 'Xin chào' },
    { type: 'usage', usage: { input: 9, output: 3, cached: 4, reasoning: 1 } },
    { type: 'finish', finish: 'stop' },
  ])
  expect(requests).toMatchObject([
    {
      method: 'POST',
      path: '/v1/chat/completions',
      headers: { authorization: 'Bearer secret', 'content-type': 'application/json' },
      body: {
        model: 'qwen3:8b',
        stream: true,
        stream_options: { include_usage: true },
        messages: [{ role: 'user', content: 'Hello' }],
        stop: ['</x>'],
        max_tokens: 7,
        temperature: 0,
      },
    },
  ])
  expect(requests[0]?.body).not.toHaveProperty('tools')
})

test.each([
  ['', '/v1/chat/completions'],
  ['/', '/v1/chat/completions'],
  ['/v1', '/v1/chat/completions'],
  ['/v1/', '/v1/chat/completions'],
  ['/v1/chat/completions', '/v1/chat/completions'],
  ['/openai/deployments/a?api-version=2', '/openai/deployments/a/chat/completions?api-version=2'],
])('accepts a base URL that ends in %j', async (end, path) => {
  const { url, requests } = await modelServer(events(delta({ content: 'Hi' }), stop, done))
  expect(textIn(await chunksOf(openAiCompatible({ url: url + end, model: 'm' })))).toBe('Hi')
  expect(requests.map((each) => each.path)).toEqual([path])
})

test.each(['127.0.0.1:1', 'ftp://a', 'http://me:secret@127.0.0.1/v1', ''])(
  'throws a TypeError for the invalid URL %j without showing it',
  (url) => {
    const make = (): unknown => openAiCompatible({ url, model: 'm' })
    expect(make).toThrow(TypeError)
    expect(make).not.toThrow(/secret/)
  },
)

test('a key that is invalid in a header is not shown', () => {
  const make = (): unknown => openAiCompatible({ url: 'http://a', model: 'm', key: 'hush\nhush' })
  expect(make).toThrow(/copy the key again/)
  expect(make).not.toThrow(/hush/)
})

describe('the finish reason', () => {
  test.each([
    ['stop', 'stop'],
    ['tool_calls', 'stop'],
    ['length', 'length'],
    ['stop_sequence', 'stop-string'],
    ['whatever', 'broken'],
    ['', 'broken'],
  ])('%j is %s', async (reason, finish) => {
    const chunks = await replyTo([delta({ content: 'a' }), delta({}, reason), done])
    expect(chunks.at(-1)).toEqual({ type: 'finish', finish })
  })

  test('reports a stop string if the server does', async () => {
    const ended = { choices: [{ delta: {}, finish_reason: 'stop', stop_reason: '</x>' }] }
    expect((await replyTo([ended, done])).at(-1)).toEqual({ type: 'finish', finish: 'stop-string' })
  })

  test('a reply without [DONE] or a finish reason is cut off', async () => {
    const broken = { type: 'finish', finish: 'broken' }
    expect((await replyTo([delta({ content: 'a' })])).at(-1)).toEqual(broken)
    expect((await replyTo([delta({ content: 'a' }), done])).at(-1)).toEqual(broken)
    expect((await replyTo([delta({ content: 'a' }), stop])).at(-1)).toEqual(broken)
    const chunks = await replyTo([delta({ content: 'a' }), stop], { needsDone: false })
    expect(chunks.at(-1)).toEqual({ type: 'finish', finish: 'stop' })
  })
})

test.each([
  [{ reasoning_content: 'a' }],
  [{ reasoning: 'a' }],
  [{ thinking: 'a' }],
  [{ reasoning_content: 'a', reasoning: 'a' }],
  [{ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'a' }] }] }],
])('reads reasoning in %j', async (content) => {
  expect((await replyTo([delta(content), stop, done]))[0]).toEqual({
    type: 'reasoning',
    delta: 'a',
  })
})

test('reads a response that is not streamed', async () => {
  const message = { role: 'assistant', content: 'Hi', reasoning: 'Hm' }
  const { url } = await modelServer(
    answer(200, {
      choices: [{ index: 0, message, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1, completion_tokens: 2 },
    }),
  )
  expect(await chunksOf(openAiCompatible({ url, model: 'm' }))).toEqual([
    { type: 'reasoning', delta: 'Hm' },
    { type: 'text', delta: 'Hi' },
    { type: 'usage', usage: { input: 1, output: 2 } },
    { type: 'finish', finish: 'stop' },
  ])
})

test('parameters rejected by the server are omitted from then on', async () => {
  const { url, requests } = await modelServer(
    answer(400, { error: { message: "Unrecognized request argument: 'stream_options'" } }),
    answer(400, { error: { message: "Use 'max_completion_tokens' instead of max_tokens." } }),
    events(delta({ content: 'Hi' }), stop, done),
  )
  const model = openAiCompatible({ url, model: 'm' })
  for (const _ of [1, 2]) expect(textIn(await chunksOf(model, { maxTokens: 5 }))).toBe('Hi')
  expect(requests).toHaveLength(4)
  expect(requests[3]?.body).not.toHaveProperty('stream_options')
  expect(requests[3]?.body).not.toHaveProperty('max_tokens')
  expect(requests[3]?.body).toMatchObject({ max_completion_tokens: 5 })
})

test('reads chunks that split characters and events', async () => {
  const text = 'Hà Nội 🌦️ 「末」'
  const bytes = Buffer.from(
    [delta({ content: text }), stop, done]
      .map((data) => `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\r\n\r\n`)
      .join(': heartbeat\n'),
  )
  const { url } = await modelServer((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    let at = 0
    const next = (): void => {
      if (at >= bytes.length) return void response.end()
      response.write(bytes.subarray(at, ++at), () => setImmediate(next))
    }
    next()
  })
  expect(textIn(await chunksOf(openAiCompatible({ url, model: 'm' })))).toBe(text)
})

describe('a connection', () => {
  const reply = events(delta({ content: 'Hi' }), stop, done)

  test('is reused', async () => {
    const server = await modelServer(reply)
    const model = openAiCompatible({ url: server.url, model: 'm' })
    for (let count = 0; count < 10; count++) expect(textIn(await chunksOf(model))).toBe('Hi')
    // Node may open a second connection before the first one is free.
    expect(server.connections()).toBeLessThan(4)
  })

  test('is reported as finished after [DONE], even if it stays open', async () => {
    const server = await modelServer((response) => {
      for (const data of [delta({ content: 'Hi' }), stop, done]) response.write(eventOf(data))
    })
    const chunks = await chunksOf(openAiCompatible({ url: server.url, model: 'm' }))
    expect(chunks.at(-1)).toEqual({ type: 'finish', finish: 'stop' })
    await server.closed()
  })

  test('may break or send more data after [DONE]', async () => {
    const { url } = await modelServer((response, _request, socket) => {
      const datas = [delta({ content: 'Hi' }), stop, done, delta({ content: 'more' })]
      response.write(datas.map(eventOf).join(''))
      setTimeout(() => socket.resetAndDestroy(), 5)
    })
    const chunks = await chunksOf(openAiCompatible({ url, model: 'm' }))
    expect(textIn(chunks)).toBe('Hi')
    expect(chunks.at(-1)).toEqual({ type: 'finish', finish: 'stop' })
  })

  test('may end without a line break', async () => {
    const { url } = await modelServer((response) =>
      response.end(`${eventOf(delta({ content: 'Hi' }, 'stop'))}data: [DONE]`),
    )
    const chunks = await chunksOf(openAiCompatible({ url, model: 'm' }))
    expect(chunks.at(-1)).toEqual({ type: 'finish', finish: 'stop' })
  })
})

test('a slow reader causes no idle timeout, and a request can set its own timeouts', async () => {
  const { url } = await modelServer(
    events(delta({ content: 'a' }), delta({ content: 'b' }), stop, done),
    () => undefined,
  )
  const model = openAiCompatible({ url, model: 'm', idleTimeout: 20 })
  let text = ''
  for await (const chunk of model.reply(request())) {
    if (chunk.type === 'text') text += chunk.delta
    await new Promise((resolve) => setTimeout(resolve, 60))
  }
  expect(text).toBe('ab')
  await expect(chunksOf(model, { timeout: 20 })).rejects.toMatchObject({ problem: 'timeout' })
})
