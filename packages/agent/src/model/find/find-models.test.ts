import { expect, onTestFinished, test } from 'vitest'
import {
  answer,
  type Answer,
  answerByPath,
  type ModelServer,
  modelServer,
} from '../../../test/model-server.ts'
import { findModels, type FoundModels, type FoundServer } from './find-models.ts'
import { localServers } from './servers/index.ts'

/**
 * Finds test servers instead of real ones: requests to a default port are redirected to the test
 * server of that kind.
 */
async function find(
  answers: Readonly<Record<string, Answer>>,
  {
    env = {},
    timeout,
    signal,
  }: { env?: Record<string, string>; timeout?: number; signal?: AbortSignal } = {},
): Promise<FoundModels & { readonly of: (id: string) => FoundServer }> {
  const servers = new Map<number, ModelServer>()
  for (const { id, port } of localServers)
    if (answers[id]) servers.set(port, await modelServer(answers[id]))
  const redirected: typeof fetch = (input, init) => {
    const url = new URL(input as string)
    const server = servers.get(Number(url.port))
    if (!server) return Promise.reject(new TypeError('fetch failed'))
    return fetch(`${server.url}${url.pathname}`, init)
  }
  // The timeout is long because a busy test machine is slow.
  const found = await findModels({ env, fetch: redirected, timeout: timeout ?? 20_000, signal })
  return { ...found, of: (id) => found.servers.find((server) => server.id === id)! }
}

test('reports the servers it checked if none is found', async () => {
  const { servers, keys, named, saved } = await find({})
  expect(servers.map(({ id, url, status }) => [id, url, status])).toEqual([
    ['ollama', 'http://127.0.0.1:11434', 'absent'],
    ['llama.cpp', 'http://127.0.0.1:8080', 'absent'],
    ['lmstudio', 'http://127.0.0.1:1234', 'absent'],
    ['vllm', 'http://127.0.0.1:8000', 'absent'],
  ])
  expect({ keys, named, saved }).toEqual({ keys: [], named: undefined, saved: undefined })
})

test('finds the name, capabilities, template and context of each Ollama model', async () => {
  const shown: Record<string, object> = {
    'qwen3:8b': {
      template: '{{ .Prompt }}<tool_call>',
      parameters: 'stop "<|im_end|>"\nnum_ctx                        8192',
      capabilities: ['completion', 'tools'],
      model_info: { 'general.architecture': 'qwen3', 'qwen3.context_length': 40960 },
    },
    'nomic-embed-text': { capabilities: ['embedding'] },
  }
  const { of } = await find({
    ollama: answerByPath({
      '/api/tags': {
        models: [
          { name: 'qwen3:8b' },
          { name: 'nomic-embed-text' },
          { name: 'llama3' },
          { name: 'bad\x1b[2Jname' },
          { name: 5 },
          null,
        ],
      },
      '/api/ps': { models: [{ name: 'llama3', context_length: 4096 }] },
      '/api/show': ((response, { body }) => {
        const about = shown[String(body['model'])]
        answer(about ? 200 : 404, about ?? {})(response, undefined as never, undefined as never)
      }) satisfies Answer,
    }),
  })
  expect(of('ollama')).toMatchObject({ status: 'running', start: 'ollama serve' })
  expect(of('ollama').models).toEqual([
    {
      name: 'qwen3:8b',
      contextTokens: 8192,
      trainedTokens: 40960,
      chatTemplate: '{{ .Prompt }}<tool_call>',
      templateLanguage: 'go',
      tools: true,
    },
    { name: 'llama3', contextTokens: 4096, loaded: true },
  ])
})

test('with many models, no listeners leak', async () => {
  const warnings: Error[] = []
  const listen = (warning: Error): void => void warnings.push(warning)
  process.on('warning', listen)
  onTestFinished(() => void process.off('warning', listen))
  const models = Array.from({ length: 30 }, (_, index) => ({ name: `qwen3:${index}b` }))
  const { signal } = new AbortController()
  const { of } = await find({ ollama: answerByPath({ '/api/tags': { models } }) }, { signal })
  expect(of('ollama').models).toHaveLength(30)
  expect(warnings).toEqual([])
})

test('finds llama.cpp, LM Studio and vLLM at the same time', async () => {
  const { of } = await find({
    'llama.cpp': answerByPath({
      '/v1/models': { data: [{ id: '/models/qwen.gguf', meta: { n_ctx_train: 32768 } }] },
      '/props': { default_generation_settings: { n_ctx: 4096 }, chat_template: '{{ messages }}' },
    }),
    lmstudio: answerByPath({
      '/api/v0/models': {
        data: [
          {
            id: 'qwen',
            type: 'llm',
            state: 'loaded',
            loaded_context_length: 8000,
            max_context_length: 9000,
            capabilities: ['tool_use'],
          },
          { id: 'embed', type: 'embeddings' },
        ],
      },
    }),
    vllm: answerByPath({ '/v1/models': { data: [{ id: 'Qwen/Qwen3-8B', max_model_len: 16384 }] } }),
  })
  expect(of('llama.cpp').models).toEqual([
    {
      name: '/models/qwen.gguf',
      contextTokens: 4096,
      trainedTokens: 32768,
      chatTemplate: '{{ messages }}',
      templateLanguage: 'jinja',
      loaded: true,
    },
  ])
  expect(of('lmstudio').models).toEqual([
    { name: 'qwen', contextTokens: 8000, trainedTokens: 9000, tools: true, loaded: true },
  ])
  expect(of('vllm').models).toEqual([{ name: 'Qwen/Qwen3-8B', contextTokens: 16384, loaded: true }])
})

test('reports models that accept images if the server says so', async () => {
  const data = [{ id: 'gemma' }]
  const { of } = await find({
    ollama: answerByPath({
      '/api/tags': { models: [{ name: 'gemma3' }] },
      '/api/show': { capabilities: ['completion', 'vision'] },
    }),
    'llama.cpp': answerByPath({
      '/v1/models': { data },
      '/props': { modalities: { vision: true, audio: false } },
    }),
    lmstudio: answerByPath({ '/api/v0/models': { data: [{ id: 'gemma', type: 'vlm' }] } }),
    vllm: answerByPath({ '/v1/models': { data } }),
  })
  const images = localServers.map(({ id }) => [id, of(id).models[0]?.images])
  expect(images).toEqual([
    ['ollama', true],
    ['llama.cpp', true],
    ['lmstudio', true],
    ['vllm', undefined],
  ])
  // The server's properties do not identify the model that they describe, so they are ignored.
  const several = await find({
    'llama.cpp': answerByPath({
      '/v1/models': { data: [...data, { id: 'qwen' }] },
      '/props': { modalities: { vision: true } },
    }),
  })
  expect(several.of('llama.cpp').models).toEqual([{ name: 'gemma' }, { name: 'qwen' }])
})

test.each<[string, Answer]>([
  ['HTML', answer(200, '<html>Hello</html>')],
  ['not found', answer(404, '')],
  ['an array', answer(200, [])],
  ['null', answer(200, 'null')],
  ['data that is not an array', answer(200, { data: 5, models: 'x' })],
  ['a redirect', answer(302, '', { location: 'http://127.0.0.1:1/' })],
  [
    'an endless response',
    (response) => {
      const more = (): void => {
        while (!response.destroyed)
          if (!response.write('[1,'.repeat(20_000))) return void response.once('drain', more)
      }
      more()
    },
  ],
])('a server that responds with %s is a different program', async (_, reply) => {
  const { of } = await find({ vllm: reply, ollama: reply, lmstudio: reply, 'llama.cpp': reply })
  for (const { id } of localServers) expect(of(id)).toMatchObject({ status: 'other', models: [] })
})

test('does not wait for a server that does not respond', async () => {
  const { of } = await find({ vllm: () => undefined }, { timeout: 30 })
  expect(of('vllm').status).toBe('absent')
})

test('a busy server is tried again unless another one is found', async () => {
  let asked = 0
  const busy: Answer = (...all) =>
    asked++ === 0 ? undefined : answerByPath({ '/v1/models': { data: [{ id: 'qwen3' }] } })(...all)
  const { of } = await find({ vllm: busy }, { timeout: 1000 })
  expect(of('vllm')).toMatchObject({ status: 'running', models: [{ name: 'qwen3' }] })
  // Only one of two requests times out.
  let lists = 0
  const half: Answer = (response, question, socket) => {
    const models = { models: [{ name: 'qwen3:8b' }] }
    if (question.path === '/api/tags' && lists++ === 0) return
    return answerByPath({ '/api/tags': models, '/api/ps': {} })(response, question, socket)
  }
  const again = await find({ ollama: half }, { timeout: 1000 })
  expect(again.of('ollama').status).toBe('running')
  asked = 0
  const ollama = answerByPath({ '/api/tags': { models: [{ name: 'qwen3:8b' }] } })
  const both = await find({ vllm: busy, ollama }, { timeout: 1000 })
  expect([both.of('ollama').status, both.of('vllm').status]).toEqual(['running', 'absent'])
})

test('invalid values are ignored', async () => {
  const data = [
    { id: 'a', max_model_len: -5 },
    { id: 'b', max_model_len: '9' },
    { id: 'x'.repeat(300) },
  ]
  const { of } = await find({ vllm: answerByPath({ '/v1/models': { data } }) })
  expect(of('vllm').models).toEqual([
    { name: 'a', loaded: true },
    { name: 'b', loaded: true },
  ])
})

test.each([
  ['0.0.0.0:9', 'http://127.0.0.1:9'],
  ['box', 'http://box:11434'],
  ['https://box', 'https://box'],
  ['http://box:80/', 'http://box'],
])('OLLAMA_HOST %s is %s', async (host, url) => {
  const env = { OLLAMA_HOST: host }
  const fail = (): Promise<never> => Promise.reject(new Error('not asked'))
  const { servers } = await findModels({ env, fetch: fail })
  expect(servers[0]?.url).toBe(url)
  expect(servers[0]?.problem).toBeUndefined()
})

test.each(['::', 'ftp://box', 'htp://box', 'my box', 'http://my box', 'http://[oops'])(
  'OLLAMA_HOST %s is reported as invalid',
  async (host) => {
    const fail = (): Promise<never> => Promise.reject(new Error('not asked'))
    const { servers } = await findModels({ env: { OLLAMA_HOST: host }, fetch: fail })
    expect(servers[0]?.url).toBe('http://127.0.0.1:11434')
    expect(servers[0]?.problem).toContain(`OLLAMA_HOST is not a valid address: "${host}"`)
  },
)

test('keys in the environment are reported without their values', async () => {
  const env = {
    OPENAI_API_KEY: 'sk-secret',
    OPENAI_BASE_URL: 'http://127.0.0.1:1/v1',
    GOOGLE_API_KEY: 'secret-too',
    GROQ_API_KEY: ' ',
    TOOLGLOT_MODEL: 'ollama/qwen3:8b ',
  }
  const found = await find({}, { env })
  expect(found.named).toBe('ollama/qwen3:8b')
  expect(found.keys).toMatchObject([
    { provider: 'openai', variable: 'OPENAI_API_KEY', url: 'http://127.0.0.1:1/v1' },
    { provider: 'gemini', variable: 'GOOGLE_API_KEY' },
  ])
  expect(JSON.stringify(found)).not.toContain('secret')
})
