import { expect, test } from 'vitest'
import { delta, events, modelServer } from '../../test/model-server.ts'
import { paths } from '../../test/paths.ts'
import { chunksOf, textIn } from '../../test/replies.ts'
import { connectModel } from './connect-model.ts'

const reply = events(delta({ content: 'Hi' }), delta({}, 'stop'), '[DONE]')

test('a server on this machine is asked about the model', async () => {
  const { url } = await modelServer(
    paths({
      '/api/tags': { models: [{ name: 'odd' }, { name: 'qwen3:8b' }] },
      '/api/show': { capabilities: ['completion', 'tools'], parameters: 'num_ctx 4096' },
      '/v1/chat/completions': reply,
    }),
  )
  const env = { OLLAMA_HOST: url }
  const model = await connectModel('ollama/qwen3:8b', { env })
  // What it writes can be read, so that its server's own calls are not needed.
  expect(model).toMatchObject({
    name: 'qwen3:8b',
    provider: 'Ollama',
    contextTokens: 4096,
    native: false,
  })
  expect(await connectModel('ollama/odd', { env })).toMatchObject({ native: true })
  expect(textIn(await chunksOf(model))).toBe('Hi')
})

test('a provider gets its key; nobody else does', async () => {
  const { url, asked } = await modelServer(reply)
  const env = { OPENAI_API_KEY: ' secret\n', OPENAI_BASE_URL: url, TOOLGLOT_API_KEY: 'other' }
  await chunksOf(await connectModel('openai/gpt', { env }))
  await chunksOf(await connectModel(`${url}/v1#gpt`, { env }))
  await chunksOf(await connectModel(`${url}/v1#gpt`, { env, key: 'mine' }))
  expect(asked.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer secret',
    undefined,
    'Bearer mine',
  ])
})

test('a provider without a key says which variable to set', async () => {
  await expect(connectModel('gemini/a', { env: {} })).rejects.toThrow(
    'Gemini needs a key: set GEMINI_API_KEY or GOOGLE_API_KEY.',
  )
})

test.each([
  ['llama.cpp/a', { tokens: [1, 2, 3] }, 3],
  ['vllm/a', { count: 4 }, 4],
])('%s counts tokens', async (reference, counted, count) => {
  const server = await modelServer(paths({ '/tokenize': counted, '/v1/models': { data: [] } }))
  const there: typeof fetch = (input, init) =>
    fetch(`${server.url}${new URL(input as string).pathname}`, init)
  const model = await connectModel(reference, { env: {}, fetch: there })
  const { signal } = new AbortController()
  expect(await model.countTokens?.('Xin chào', signal)).toBe(count)
  expect(JSON.stringify(server.asked.at(-1)?.body)).toContain('Xin chào')
  await expect(model.countTokens?.('a', AbortSignal.abort(new Error('stopped')))).rejects.toThrow(
    'stopped',
  )
})

test('who does not count says so', async () => {
  const server = await modelServer(paths({}))
  const there: typeof fetch = () => fetch(`${server.url}/none`)
  const model = await connectModel('vllm/a', { env: {}, fetch: there })
  const { signal } = new AbortController()
  await expect(model.countTokens?.('a', signal)).rejects.toThrow('vLLM does not say')
  expect(await connectModel('ollama/a', { env: {}, fetch: there })).not.toHaveProperty(
    'countTokens',
  )
})
