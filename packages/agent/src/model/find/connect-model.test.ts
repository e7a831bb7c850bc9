import { expect, test } from 'vitest'
import { answerByPath, delta, events, modelServer } from '../../../test/model-server.ts'
import { fakeOllama } from '../../../test/fixtures/servers/ollama.ts'
import { chunksOf, textIn } from '../../../test/replies.ts'
import type { Model } from '../model.ts'
import { connectModel } from './connect-model.ts'
import type { ConnectOptions } from './kinds/kind.ts'

const reply = events(delta({ content: 'Hi' }), delta({}, 'stop'), '[DONE]')

test('facts about the model come from the local server', async () => {
  const models = ['odd', 'qwen3:8b'].map((name) => ({ name, trained: 40_960, loaded: 4096 }))
  const { url } = await fakeOllama(models, () => 'Hi')
  const env = { OLLAMA_HOST: url }
  const model = await connectModel('ollama/qwen3:8b', { env })
  // The protocol is known, so the server's function calling is not needed.
  expect(model).toMatchObject({
    name: 'qwen3:8b',
    provider: 'Ollama',
    contextTokens: 4096,
    native: false,
  })
  expect(await connectModel('ollama/odd', { env })).toMatchObject({ native: true })
  expect(textIn(await chunksOf(model))).toBe('Hi')
})

test('local servers are known to continue prefills and follow grammars', async () => {
  const servers = await modelServer(
    answerByPath({
      '/v1/models': { data: [{ id: 'a' }] },
      '/props': { modalities: { vision: true } },
      '/v1/chat/completions': reply,
    }),
  )
  const localFetch: typeof fetch = (input, init) =>
    fetch(`${servers.url}${new URL(input as string).pathname}`, init)
  const connect = (reference: string, more: Partial<ConnectOptions> = {}): Promise<Model> =>
    connectModel(reference, { env: {}, fetch: localFetch, ...more })
  const llama = await connect('llama.cpp/a')
  expect(llama).toMatchObject({ images: true, prefill: true, grammars: ['gbnf'] })
  const vllm = await connect('vllm/a')
  expect(vllm).toMatchObject({ prefill: true, grammars: ['gbnf', 'lark'] })
  expect(vllm.images).toBeUndefined()
  for (const model of [llama, vllm]) {
    await chunksOf(model, { prefill: 'a', grammar: { syntax: 'gbnf', text: 'root ::= "a"' } })
  }
  const bodies = servers.requests.filter(({ path }) => path.endsWith('completions'))
  expect(bodies.map(({ body }) => [body['grammar'], body['continue_final_message']])).toEqual([
    ['root ::= "a"', undefined],
    [undefined, true],
  ])
  // Options take precedence over detected facts.
  expect(await connect('llama.cpp/a', { images: false, prefill: false })).toMatchObject({
    images: false,
    prefill: false,
  })
  expect(await connect('vllm/a', { images: true })).toMatchObject({ images: true })
})

test('facts about a provider do not apply to another server at its URL', async () => {
  const keys = { OPENAI_API_KEY: 'a', ANTHROPIC_API_KEY: 'b', DEEPSEEK_API_KEY: 'c' }
  const facts = async (reference: string, env: object = {}): Promise<unknown> => {
    const { images, laterSystem } = await connectModel(reference, { env: { ...keys, ...env } })
    return { images, laterSystem }
  }
  const none = { images: undefined, laterSystem: undefined }
  expect(await facts('openai/gpt-5-mini')).toEqual({ images: true, laterSystem: true })
  expect(await facts('openai/gpt-3.5-turbo')).toEqual({ images: undefined, laterSystem: true })
  expect(await facts('anthropic/claude-sonnet-4-5')).toEqual({ ...none, images: true })
  expect(await facts('deepseek/deepseek-chat')).toEqual(none)
  expect(await facts('openai/gpt-5-mini', { OPENAI_BASE_URL: 'http://a' })).toEqual(none)
})

test('a key is sent only to its provider', async () => {
  const { url, requests } = await modelServer(reply)
  const env = { OPENAI_API_KEY: ' secret\n', OPENAI_BASE_URL: url, TOOLGLOT_API_KEY: 'other' }
  await chunksOf(await connectModel('openai/gpt', { env }))
  await chunksOf(await connectModel(`${url}/v1#gpt`, { env }))
  await chunksOf(await connectModel(`${url}/v1#gpt`, { env, key: 'mine' }))
  expect(requests.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer secret',
    undefined,
    'Bearer mine',
  ])
})

test('without a key, the error contains the variable to set', async () => {
  await expect(connectModel('gemini/a', { env: {} })).rejects.toThrow(
    'Gemini needs a key: set GEMINI_API_KEY or GOOGLE_API_KEY.',
  )
})

test.each([
  ['llama.cpp/a', { tokens: [1, 2, 3] }, 3],
  ['vllm/a', { count: 4 }, 4],
])('%s counts tokens', async (reference, counted, count) => {
  const server = await modelServer(
    answerByPath({ '/tokenize': counted, '/v1/models': { data: [] } }),
  )
  const localFetch: typeof fetch = (input, init) =>
    fetch(`${server.url}${new URL(input as string).pathname}`, init)
  const model = await connectModel(reference, { env: {}, fetch: localFetch })
  const { signal } = new AbortController()
  expect(await model.countTokens?.('Xin chào', signal)).toBe(count)
  expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('Xin chào')
  await expect(model.countTokens?.('a', AbortSignal.abort(new Error('stopped')))).rejects.toThrow(
    'stopped',
  )
})

test('a server that cannot count tokens is reported', async () => {
  const server = await modelServer(answerByPath({}))
  const localFetch: typeof fetch = () => fetch(`${server.url}/none`)
  const model = await connectModel('vllm/a', { env: {}, fetch: localFetch })
  const { signal } = new AbortController()
  await expect(model.countTokens?.('a', signal)).rejects.toThrow(
    'vLLM does not support counting tokens',
  )
  expect(await connectModel('ollama/a', { env: {}, fetch: localFetch })).not.toHaveProperty(
    'countTokens',
  )
})
