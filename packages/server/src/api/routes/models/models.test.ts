import { DEMO } from '@toolglot/workspace'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  type Answer,
  answer,
  answerByPath,
  modelServer,
} from '../../../../../agent/test/model-server.ts'
import { apiClient } from '../../../../test/api-client.ts'
import { listModels } from './list.ts'
import { testModel, useModel } from './choose.ts'

const call = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Hanoi"}}\n</tool_call>'
const line = (content: string, more: object = { done: false }): string =>
  `${JSON.stringify({ message: { role: 'assistant', content }, ...more })}\n`
const says = (text: string): Answer =>
  answer(200, line(text) + line('', { done: true, done_reason: 'stop' }))

/** A server with Ollama's API, and an environment that points to it. */
async function ollama(chat: Answer = says(call)) {
  const server = await modelServer(
    answerByPath({
      '/api/tags': { models: [{ name: 'qwen3:8b' }, { name: 'odd' }] },
      '/api/ps': { models: [] },
      '/api/show': { parameters: 'num_ctx 4096' },
      '/api/chat': chat,
    }),
  )
  return { server, env: { OLLAMA_HOST: server.url } }
}

/** No Ollama listens here. */
const nowhere = { OLLAMA_HOST: 'http://127.0.0.1:9' }

describe('GET /api/models', () => {
  test('lists the running servers, the default model and the reason for it', async () => {
    const { server, env } = await ollama()
    const { call: send } = await apiClient({ env: { ...env, OPENAI_API_KEY: 'hush-hush' } })
    const list = await send(listModels)
    expect(list).toMatchObject({
      choice: { reference: 'ollama/qwen3:8b', why: expect.stringContaining(server.url) as string },
      isDemo: false,
      providers: [
        {
          id: 'openai',
          variable: 'OPENAI_API_KEY',
          reference: expect.stringMatching(/^openai\//) as string,
          agreed: false,
        },
      ],
    })
    expect(list.servers.find(({ id }) => id === 'ollama')).toMatchObject({
      status: 'running',
      url: server.url,
      models: [
        { reference: 'ollama/qwen3:8b', contextTokens: 4096, protocol: 'hermes' },
        { reference: 'ollama/odd' },
      ],
    })
    expect(JSON.stringify(list)).not.toContain('hush')
  })

  test('shows the probed call format of a model, which runs use', async () => {
    const { env } = await ollama()
    const settings = { modelProtocols: { 'ollama/qwen3:8b': 'tool-xml', 'ollama/odd': 'native' } }
    const { call: send } = await apiClient({ env, settings })
    const list = await send(listModels)
    expect(list.choice).toMatchObject({ protocol: 'tool-xml', isGuess: false })
    expect(list.servers.find(({ id }) => id === 'ollama')!.models).toMatchObject([
      { protocol: 'tool-xml', protocolBy: 'probe' },
      { protocol: 'native', protocolBy: 'probe' },
    ])
  })

  test('reports that a paid model needs agreement, and shows the models in the settings', async () => {
    const env = { ...nowhere, OPENAI_API_KEY: 'hush-hush' }
    const first = await (await apiClient({ env })).call(listModels)
    expect(first.choice.costs).toEqual({ provider: 'openai', name: 'OpenAI' })
    const agreed = await (
      await apiClient({ env, settings: { paidProviders: ['openai'] } })
    ).call(listModels)
    expect(agreed).toMatchObject({ providers: [{ id: 'openai', agreed: true }] })
    expect(agreed.choice).not.toHaveProperty('costs')
    const named = await (
      await apiClient({ env, settings: { model: 'ollama/mine' } })
    ).call(listModels)
    expect(named).toMatchObject({
      choice: { reference: 'ollama/mine' },
      saved: { reference: 'ollama/mine', scope: 'user' },
    })
  })

  test('without a model, the demo script answers; it can also be chosen', async () => {
    const none = await (await apiClient({ env: nowhere })).call(listModels)
    expect(none).toMatchObject({
      isDemo: true,
      choice: { why: expect.stringMatching(/\S/) as string },
    })
    expect(none.choice).not.toHaveProperty('reference')
    const { env } = await ollama()
    const demo = await (await apiClient({ env: { ...env, TOOLGLOT_MODEL: DEMO } })).call(listModels)
    expect(demo).toMatchObject({ isDemo: true, choice: { reference: DEMO } })
  })

  test('shows no credentials in URLs', async () => {
    const { call: send, problem } = await apiClient({
      env: { ...nowhere, TOOLGLOT_MODEL: 'http://127.0.0.1:9/v1?k=in-the-query#name' },
    })
    const list = await send(listModels)
    expect(list).toMatchObject({ named: 'http://127.0.0.1:9/v1#name' })
    expect(JSON.stringify(list)).not.toContain('in-the-query')
    const bad = await apiClient({ env: { TOOLGLOT_MODEL: 'http://me:sesame@127.0.0.1/v1#x' } })
    const said = await bad.problem(listModels)
    expect(said).toMatchObject({ code: 'unprocessable' })
    expect(JSON.stringify(said)).not.toContain('sesame')
    expect(await problem(listModels, { query: { folder: '/no' } })).toMatchObject({ status: 404 })
  })
})

describe('POST /api/models/test', () => {
  test('reports if a call was read correctly', async () => {
    const { env } = await ollama()
    const { call: send } = await apiClient({ env })
    expect(await send(testModel)).toMatchObject({
      reference: 'ollama/qwen3:8b',
      why: expect.stringContaining('Ollama') as string,
      protocol: 'hermes',
      by: 'name',
      understood: true,
      finish: 'stop',
      reply: call,
    })
    const other = await send(testModel, { body: { model: 'ollama/odd', protocol: 'mistral' } })
    expect(other).toMatchObject({ reference: 'ollama/odd', protocol: 'mistral', by: 'option' })
  })

  test('reports what a model wrote instead', async () => {
    const { env } = await ollama(says('It is sunny \u202e in Hanoi.'))
    const { call: send } = await apiClient({ env })
    expect(await send(testModel)).toMatchObject({
      understood: false,
      reply: 'It is sunny \u202e in Hanoi.',
    })
  })

  test('stops the request to the model when the client disconnects', async () => {
    const controller = new AbortController()
    let closed: Promise<unknown> | undefined
    const { env } = await ollama((response) => {
      closed = once(response, 'close')
      response.writeHead(200, { 'content-type': 'application/x-ndjson' })
      response.write(line('Hm'))
      controller.abort()
    })
    const { send, errors } = await apiClient({ env })
    const response = await send(testModel, { signal: controller.signal })
    expect(response.ok).toBe(false)
    // The connection of this request; other connections stay open for a while.
    await closed
    expect(closed).toBeDefined()
    expect(errors).toEqual([])
  })

  test('503 without an available model, 422 for one that may not be used', async () => {
    const { problem } = await apiClient({ env: nowhere })
    expect(await problem(testModel)).toMatchObject({
      code: 'model_unavailable',
      action: expect.stringContaining('model server') as string,
    })
    const { env } = await ollama(answer(500, 'out of memory'))
    const { problem: fails } = await apiClient({ env })
    expect(await fails(testModel)).toMatchObject({ code: 'model_unavailable' })
    const paid = await apiClient({ env: { ...nowhere, OPENAI_API_KEY: 'hush-hush' } })
    expect(await paid.problem(testModel)).toMatchObject({
      code: 'unprocessable',
      detail: expect.stringContaining('costs money') as string,
    })
  })

  test.each<[string, object]>([
    ['invalid_request', { model: 5 }],
    ['invalid_request', { model: '' }],
    ['invalid_request', { model: 'x'.repeat(501) }],
    ['invalid_request', { models: 'x' }],
    ['unprocessable', { model: 'nowhere/x' }],
    ['unprocessable', { model: '__proto__/x' }],
    ['unprocessable', { model: 'ollama/\u0000' }],
    ['unprocessable', { protocol: '__proto__' }],
    ['unprocessable', { protocol: './mine.mjs' }],
  ])('%s for bad input (%#)', async (code, body) => {
    const { problem } = await apiClient({ env: nowhere })
    expect(await problem(testModel, { body })).toMatchObject({ code })
  })
})

describe('POST /api/models/use', () => {
  test("changes the user's own settings, and reports what takes precedence", async () => {
    const { call: send, home } = await apiClient({ env: nowhere })
    const file = join(home, '.config/toolglot/settings.json')
    const body = { model: ' ollama/qwen3:8b ' }
    expect(await send(useModel, { body })).toEqual({
      reference: 'ollama/qwen3:8b',
      file,
      note: expect.stringMatching(/^Ollama is not running at .* could not be checked/) as string,
    })
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ model: 'ollama/qwen3:8b' })
    expect((await send(listModels)).choice.reference).toBe('ollama/qwen3:8b')

    const named = await apiClient({ env: { TOOLGLOT_MODEL: 'ollama/x' } })
    expect(await named.call(useModel, { body })).toMatchObject({ overriddenBy: 'TOOLGLOT_MODEL' })
    const theirs = await apiClient({ project: { model: 'ollama/theirs' } })
    expect(await theirs.call(useModel, { body })).not.toHaveProperty('overriddenBy')
    await theirs.trust()
    expect(await theirs.call(useModel, { body })).toMatchObject({
      overriddenBy: join(theirs.folder, '.toolglot/settings.json'),
    })
  })

  test.each<[string, object]>([
    ['invalid_request', {}],
    ['unprocessable', { model: 'qwen3' }],
    ['unprocessable', { model: 'http://me:sesame@127.0.0.1/v1#x' }],
    ['unprocessable', { model: 'http://127.0.0.1/v1?api_key=sk-0123456789abcdefghij#x' }],
  ])('%s for bad input (%#), and no secret is repeated', async (code, body) => {
    const { problem } = await apiClient()
    const said = await problem(useModel, { body })
    expect(said).toMatchObject({ code })
    expect(JSON.stringify(said)).not.toMatch(/sesame|sk-0123456789/)
  })
})
