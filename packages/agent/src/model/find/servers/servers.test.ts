import { describe, expect, test } from 'vitest'
import type { FakeReply, FakeServer } from '../../../../test/fixtures/servers/fake-server.ts'
import { fakeLlamaCpp } from '../../../../test/fixtures/servers/llama-cpp.ts'
import { fakeLmStudio } from '../../../../test/fixtures/servers/lm-studio.ts'
import { fakeOllama } from '../../../../test/fixtures/servers/ollama.ts'
import { fakeVllm } from '../../../../test/fixtures/servers/vllm.ts'
import { chunksOf, failureOf, textIn } from '../../../../test/replies.ts'
import { connectModel, verifyModel, parseReference } from '../connect-model.ts'
import type { ConnectOptions } from '../kinds/kind.ts'
import { findModels } from '../find-models.ts'

const model = { name: 'qwen3-8b', trained: 40_960, loaded: 4096 }

const fakes: readonly (readonly [string, (reply: FakeReply) => Promise<FakeServer>, RegExp])[] = [
  ['ollama', (reply) => fakeOllama([model], reply), /--context 8192/],
  ['llama.cpp', (reply) => fakeLlamaCpp(model, reply), /llama-server -m model\.gguf -c 8192/],
  ['lmstudio', (reply) => fakeLmStudio([model], reply), /lms load qwen3-8b --context-length 8192/],
  ['vllm', (reply) => fakeVllm(model, reply), /vllm serve qwen3-8b --max-model-len 8192/],
]

/** Redirects every address to the fake server. */
function through({ url }: FakeServer): Pick<ConnectOptions, 'fetch' | 'env'> {
  return {
    env: {},
    fetch: (input, init) => {
      const { pathname, search } = new URL(input as string)
      return fetch(`${url}${pathname}${search}`, init)
    },
  }
}

describe.each(fakes)('%s', (id, start, advice) => {
  const connect = async (reply: string, more: Partial<ConnectOptions> = {}) => {
    const server = await start(() => reply)
    const options = { ...through(server), ...more }
    return { server, options, model: await connectModel(`${id}/qwen3-8b`, options) }
  }

  test('is found with its models, and replies', async () => {
    const { model: connected, server, options } = await connect('Hello there.')
    expect(connected).toMatchObject({ contextTokens: 4096, native: false })
    expect(connected.contextAdvice).toMatch(advice)
    const chunks = await chunksOf(connected)
    expect(textIn(chunks)).toBe('Hello there.')
    const { prompt, reply } = server.served[0]!
    const usage = expect.objectContaining({ input: prompt, output: reply }) as object
    expect(chunks).toContainEqual({ type: 'usage', usage })
    const { servers } = await findModels({ ...options, timeout: 10_000 })
    expect(servers.find((each) => each.id === id)).toMatchObject({
      status: 'running',
      models: [{ name: 'qwen3-8b', contextTokens: 4096 }],
    })
  })

  test('uses at most the requested context', async () => {
    const { model: connected } = await connect('Hi', { context: 2048 })
    expect(connected.contextTokens).toBe(2048)
  })

  test('cuts off a reply that does not fit', async () => {
    const { model: connected } = await connect('word '.repeat(9000))
    expect((await chunksOf(connected)).at(-1)).toEqual({ type: 'finish', finish: 'length' })
  })

  test('rejects a prompt that does not fit', async () => {
    const { model: connected } = await connect('Hi')
    const error = await failureOf(connected, {
      messages: [{ role: 'user', content: 'word '.repeat(5000) }],
    })
    expect(error.problem).toBe('context_overflow')
  })

  test('a wrong name is rejected before any request', async () => {
    const { server, options } = await connect('Hi')
    const wrong = [connectModel, verifyModel].map((work) => work(`${id}/qwen3-9b`, options))
    if (id === 'llama.cpp') return void (await Promise.all(wrong))
    for (const work of wrong)
      await expect(work).rejects.toThrow(/has no model qwen3-9b\. Did you mean qwen3-8b\?$/)
    expect(server.served).toEqual([])
  })

  test('a bare name means the model of the only server that has it', async () => {
    const { options } = await connect('Hi')
    const found = await findModels({ ...options, timeout: 10_000 })
    const only = { servers: found.servers.filter((each) => each.id === id) }
    expect(parseReference('qwen3-8b', { found: only })).toBe(`${id}/qwen3-8b`)
    expect(() => parseReference('qwen3-9b', { found: only })).toThrow(
      `No running server has a model named 'qwen3-9b'. Did you mean ${id}/qwen3-8b?`,
    )
    const [one] = only.servers
    const both = { servers: [one!, { ...one!, id: 'other' }] }
    expect(() => parseReference('qwen3-8b', { found: both })).toThrow(
      `2 servers have a model named 'qwen3-8b'. Choose one of ${id}/qwen3-8b, other/qwen3-8b`,
    )
  })
})

test('only an old Ollama silently drops messages that do not fit', async () => {
  const counting: FakeReply = ({ messages }) => String(messages.length)
  const server = await fakeOllama([model], counting, { isOld: true })
  const connected = await connectModel('ollama/qwen3-8b', through(server))
  const turn = { role: 'user', content: 'word '.repeat(3000) } as const
  const reply = { role: 'assistant', content: 'Yes.' } as const
  expect(textIn(await chunksOf(connected, { messages: [turn, reply, turn] }))).not.toBe('3')
  expect(server.dropped()).toBe(1)
})

describe('a model that LM Studio has not loaded', () => {
  const onDisk = { name: 'qwen3-8b', trained: 40_960 }

  test.each([
    ['gets the default size', onDisk, undefined, 4096],
    ['gets the default or its maximum', { ...onDisk, trained: 2048 }, undefined, 2048],
    ['gets the requested size if possible', onDisk, 16_384, 16_384],
    ['never gets more than its maximum', onDisk, 1_000_000, 40_960],
  ])('%s', async (_, given, context, tokens) => {
    const server = await fakeLmStudio([given], () => 'Hi')
    const connected = await connectModel('lmstudio/qwen3-8b', { ...through(server), context })
    expect(connected.contextTokens).toBe(tokens)
    if (tokens === 4096) expect(connected.contextAdvice).toContain('lms load qwen3-8b')
  })

  test('is listed once even if it is loaded', async () => {
    const server = await fakeLmStudio([onDisk, { ...onDisk, loaded: 8192 }, onDisk], () => 'Hi')
    const { servers } = await findModels({ ...through(server), timeout: 10_000 })
    const found = servers.filter(({ id }) => id === 'lmstudio')
    expect(found[0]!.models).toMatchObject([{ name: 'qwen3-8b', contextTokens: 8192 }])
    expect(parseReference('qwen3-8b', { found: { servers: found } })).toBe('lmstudio/qwen3-8b')
  })
})

test('qwen3 means qwen3:latest', async () => {
  const server = await fakeOllama([{ ...model, name: 'qwen3:latest' }], () => 'Hi')
  const connected = await connectModel('ollama/qwen3', through(server))
  expect(connected).toMatchObject({ name: 'qwen3:latest', contextTokens: 4096 })
})

test('the name of a model on a server that is not running cannot be checked', async () => {
  expect(await verifyModel('ollama/qwen3', { env: { OLLAMA_HOST: '127.0.0.1:1' } })).toBe(
    'Ollama is not running at http://127.0.0.1:1, so the name could not be checked. Start it with `ollama serve`.',
  )
})
