import { describe, expect, test } from 'vitest'
import { fakeOllama } from '../../../test/fixtures/servers/ollama.ts'
import { type Answer, answer, modelServer } from '../../../test/model-server.ts'
import { chunksOf, failureOf, textIn } from '../../../test/replies.ts'
import { connectModel } from '../find/connect-model.ts'
import { ollamaModel } from './ollama-model.ts'

const qwen = { name: 'qwen3:8b', trained: 40_960 }

const lines =
  (...objects: readonly (object | string)[]): Answer =>
  (response) =>
    response
      .writeHead(200, { 'content-type': 'application/x-ndjson' })
      .end(
        objects
          .map((each) => `${typeof each === 'string' ? each : JSON.stringify(each)}\n`)
          .join(''),
      )

const said = (message: object, more: object = {}): object => ({
  model: 'm',
  message: { role: 'assistant', content: '', ...message },
  done: false,
  ...more,
})
const last = said({}, { done: true, done_reason: 'stop', prompt_eval_count: 7, eval_count: 2 })

describe('the context', () => {
  const contextOf = async (
    model: { name: string; trained: number; loaded?: number },
    context?: number,
  ): Promise<unknown[]> => {
    const server = await fakeOllama([model], () => 'Hi')
    const connected = await connectModel(`ollama/${model.name}`, {
      env: { OLLAMA_HOST: server.url },
      context,
    })
    await chunksOf(connected)
    const options = server.requests.at(-1)!.body['options'] as Record<string, unknown>
    expect(connected.contextTokens).toBe(options['num_ctx'])
    return [server.served[0]!.context, connected.contextAdvice]
  }
  const advice = (tokens: number): string =>
    `Ask for a larger context with --context ${tokens}, or set it for good: toolglot config set context ${tokens}.`
  const none = 'The model has no larger context: ask for less, or use another model.'

  test.each([
    ['the default', qwen, undefined, 8192, advice(16_384)],
    ['the loaded size', { ...qwen, loaded: 4096 }, undefined, 4096, advice(8192)],
    ['the requested size', { ...qwen, loaded: 4096 }, 16_384, 16_384, advice(32_768)],
    ['at most the maximum of the model', qwen, 1_000_000, 40_960, none],
    ['a small model', { ...qwen, trained: 2048 }, undefined, 2048, none],
  ])('%s', async (_, model, wanted, tokens, said) => {
    expect(await contextOf(model, wanted)).toEqual([tokens, said])
  })
})

test('sends a request and reads a streamed reply', async () => {
  const server = await modelServer(
    lines(said({ thinking: 'Well. ' }), said({ content: 'Hel' }), said({ content: 'lo' }), last),
  )
  const model = ollamaModel({
    url: `${server.url}/v1`,
    model: 'm',
    contextTokens: 4096,
    thinking: true,
    keepAlive: '10m',
    body: { options: { top_k: 20 } },
  })
  const chunks = await chunksOf(model, {
    temperature: 0.2,
    topP: 0.9,
    seed: 1,
    stop: ['x'],
    maxTokens: 99,
    prefill: 'Hel',
    responseFormat: { type: 'json', schema: { type: 'object' } },
  })
  expect(chunks).toEqual([
    { type: 'reasoning', delta: 'Well. ' },
    { type: 'text', delta: 'Hel' },
    { type: 'text', delta: 'lo' },
    { type: 'usage', usage: { input: 7, output: 2 } },
    { type: 'finish', finish: 'stop' },
  ])
  const [{ path, body }] = server.requests as [(typeof server.requests)[number]]
  expect(path).toBe('/api/chat')
  expect(body).toMatchObject({
    model: 'm',
    stream: true,
    think: true,
    keep_alive: '10m',
    format: { type: 'object' },
    options: {
      num_ctx: 4096,
      num_predict: 99,
      temperature: 0.2,
      top_p: 0.9,
      seed: 1,
      stop: ['x'],
      top_k: 20,
    },
  })
  expect((body['messages'] as unknown[]).at(-1)).toEqual({ role: 'assistant', content: 'Hel' })
})

test('limits a reply to the space left by the prompt', async () => {
  const server = await fakeOllama([qwen], () => 'word '.repeat(5000))
  const model = ollamaModel({ url: server.url, model: 'qwen3:8b', contextTokens: 2048 })
  const chunks = await chunksOf(model)
  expect(chunks.at(-1)).toEqual({ type: 'finish', finish: 'length' })
  const [{ prompt, reply }] = server.served as [(typeof server.served)[number]]
  expect(prompt + reply).toBeLessThanOrEqual(2048)
})

test('fields that other servers accept at the top level become options', async () => {
  const server = await modelServer(lines(last))
  const body = { top_k: 20, repetition_penalty: 1.1, num_ctx: 1e6, logprobs: true }
  const model = ollamaModel({ url: server.url, model: 'm', contextTokens: 4096, body })
  await chunksOf(model, { body: { frequency_penalty: 0.5, options: { top_k: 30, num_ctx: 1e6 } } })
  expect(server.requests[0]!.body).toEqual({
    model: 'm',
    messages: [{ role: 'user', content: 'Hello' }],
    stream: true,
    truncate: false,
    shift: false,
    logprobs: true,
    options: {
      num_ctx: 4096,
      num_predict: expect.any(Number) as number,
      top_k: 30,
      repeat_penalty: 1.1,
      frequency_penalty: 0.5,
    },
  })
})

test('rejects a prompt that is too long instead of truncating it', async () => {
  const server = await fakeOllama([qwen], () => 'Hi')
  const model = ollamaModel({ url: server.url, model: 'qwen3:8b', contextTokens: 2048 })
  const messages = [{ role: 'user', content: 'word '.repeat(3000) }] as const
  expect(await failureOf(model, { messages })).toMatchObject({ problem: 'context_overflow' })
  expect(server.dropped()).toBe(0)
})

test('reads the number of cached tokens', async () => {
  const server = await modelServer(lines({ ...last, prompt_eval_cached_count: 5 }))
  const chunks = await chunksOf(ollamaModel({ url: server.url, model: 'm' }))
  expect(chunks[0]).toEqual({ type: 'usage', usage: { input: 7, output: 2, cached: 5 } })
})

test('a model that cannot think gets requests without that field', async () => {
  const server = await fakeOllama([qwen], () => 'Hi')
  const model = ollamaModel({ url: server.url, model: 'qwen3:8b', thinking: true })
  expect(textIn(await chunksOf(model))).toBe('Hi')
  expect(textIn(await chunksOf(model))).toBe('Hi')
  expect(server.requests.map(({ body }) => body['think'])).toEqual([true, undefined, undefined])
})

test('sends native calls and their results', async () => {
  const server = await modelServer(
    lines(
      said({ tool_calls: [{ function: { name: 'look', arguments: { key: 'a' } } }] }),
      said({ tool_calls: [{ function: { name: 'look', arguments: { key: 'b' } } }] }),
      last,
    ),
  )
  const model = ollamaModel({ url: server.url, model: 'm', native: true, images: true })
  const data = 'iVBORw0KGgo='
  const chunks = await chunksOf(model, {
    tools: [{ name: 'look', description: 'Looks.' }],
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'See' },
          { type: 'image', url: `data:image/png;base64,${data}` },
        ],
      },
      { role: 'assistant', content: '', calls: [{ id: '1', name: 'look', args: { key: 'x' } }] },
      { role: 'tool', call: '1', content: 'found' },
    ],
  })
  expect(chunks.filter(({ type }) => type === 'call')).toEqual([
    { type: 'call', index: 0, id: 'call_0', name: 'look', delta: '{"key":"a"}' },
    { type: 'call', index: 1, id: 'call_1', name: 'look', delta: '{"key":"b"}' },
  ])
  expect(server.requests[0]!.body).toMatchObject({
    messages: [
      { role: 'user', content: 'See', images: [data] },
      { role: 'assistant', tool_calls: [{ function: { name: 'look', arguments: { key: 'x' } } }] },
      { role: 'tool', tool_name: 'look', content: 'found' },
    ],
    tools: [{ type: 'function', function: { name: 'look', description: 'Looks.' } }],
  })
})

test.each<[string, Answer, string, RegExp]>([
  [
    'an unknown model',
    answer(404, { error: "model 'm' not found" }),
    'refused',
    /model 'm' not found/,
  ],
  [
    'a web page',
    answer(200, '<html><title>Router</title>'),
    'garbled',
    /a web page instead of a reply, titled "Router"/,
  ],
  ['nothing', answer(200, ''), 'garbled', /the response is empty/],
  ['half of a line', lines(said({ content: 'a' }), '{"message":'), 'garbled', /is not JSON/],
  ['something else', lines({ hello: 1 }), 'garbled', /contains no message/],
  [
    'an error in the stream',
    lines(said({ content: 'a' }), { error: 'llama runner process has terminated' }),
    'unavailable',
    /llama runner process has terminated/,
  ],
])('a server that sends %s', async (_, given, problem, message) => {
  const { url } = await modelServer(given)
  const error = await failureOf(ollamaModel({ url, model: 'm' }))
  expect(error.problem).toBe(problem)
  expect(error.message).toMatch(message)
})

test('a reply without its last line is incomplete', async () => {
  const { url } = await modelServer(lines(said({ content: 'a' })))
  const chunks = await chunksOf(ollamaModel({ url, model: 'm' }))
  expect(chunks.at(-1)).toEqual({ type: 'finish', finish: 'broken' })
})

test('additional fields cannot replace the messages', () => {
  expect(() => ollamaModel({ url: 'http://a', model: 'm', body: { messages: [] } })).toThrow(
    /leave it out/,
  )
})
