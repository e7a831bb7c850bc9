import { protocols } from '@toolglot/core'
import { type ChosenModel, openWorkspace, trustFolder } from '@toolglot/workspace'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { folderOf } from '../../../../tests/helpers/folder.ts'
import { events, delta, modelServer } from '../../../agent/test/model-server.ts'
import { GatewayError } from '../gateway/gateway-error.ts'
import { workspaceModels, type WorkspaceModelsOptions } from './workspace-models.ts'

afterEach(() => void vi.unstubAllGlobals())

const forever = new AbortController().signal
const realFetch = globalThis.fetch

/** Fake model servers on their usual ports. Other requests fail, except to test servers. */
function serversWith(models: { ollama?: string[]; lmstudio?: string[] }): { requests: string[] } {
  const requests: string[] = []
  vi.stubGlobal('fetch', ((input, init) => {
    const url = new URL(input as string)
    requests.push(url.href)
    const data: Record<string, object | undefined> = {
      '11434/api/tags': models.ollama && { models: models.ollama.map((name) => ({ name })) },
      '11434/api/ps': models.ollama && { models: [] },
      '11434/api/show': models.ollama && {
        parameters: 'num_ctx 4096',
        capabilities: ['completion'],
        model_info: { 'qwen3.context_length': 40_960 },
      },
      '1234/api/v0/models': models.lmstudio && { data: models.lmstudio.map((id) => ({ id })) },
    }
    const found = data[`${url.port}${url.pathname}`]
    if (found) return Promise.resolve(Response.json(found))
    const isUsual = ['11434', '8080', '1234', '8000'].includes(url.port)
    return isUsual ? Promise.reject(new TypeError('fetch failed')) : realFetch(input, init)
  }) as typeof fetch)
  return { requests }
}

async function modelsOf(
  settings: object,
  options: WorkspaceModelsOptions & {
    env?: Record<string, string>
    folder?: Record<string, object>
  } = {},
) {
  const { env, folder, ...others } = options
  const HOME = folderOf({ '.config/toolglot/settings.json': settings })
  const workspace = await openWorkspace(folderOf(folder), { env: { HOME, ...env } })
  const models = workspaceModels(workspace, others)
  return {
    workspace,
    list: async () => (await models.list(forever)).map(({ name, owner }) => `${name} by ${owner}`),
    find: (name: string) => models.find(name, new AbortController().signal),
  }
}

describe('the names available to clients', () => {
  test('are models on this machine, by reference and by bare name', async () => {
    serversWith({ ollama: ['qwen3:8b', 'both'], lmstudio: ['both'] })
    const { list, find } = await modelsOf({})
    expect(await list()).toEqual([
      'default by toolglot',
      'ollama/qwen3:8b by ollama',
      'ollama/both by ollama',
      'lmstudio/both by lmstudio',
    ])
    expect((await find('ollama/qwen3:8b'))?.model).toMatchObject({
      name: 'qwen3:8b',
      reference: 'ollama/qwen3:8b',
      contextTokens: 4096,
    })
    expect((await find('qwen3:8b'))?.model).toMatchObject({ reference: 'ollama/qwen3:8b' })
    expect((await find('lmstudio/both'))?.model).toMatchObject({ provider: 'LM Studio' })
    expect(await find('both')).toBeUndefined()
  })

  test.each([
    '',
    'none',
    'ollama/none',
    'openai/gpt-5-mini',
    'http://127.0.0.1:11434/v1#qwen3:8b',
    'https://evil.example/v1#a',
    'script',
    '*',
    '__proto__',
    'constructor',
    'a'.repeat(1e4),
  ])('do not include %j', async (name) => {
    const { requests } = serversWith({ ollama: ['qwen3:8b'] })
    const { find } = await modelsOf({}, { env: { OPENAI_API_KEY: 'sk-secret' } })
    expect(await find(name)).toBeUndefined()
    expect(requests.filter((url) => url.includes('evil') || url.includes('openai'))).toEqual([])
  })

  test('include paid providers that the user agreed to, if there is a key', async () => {
    serversWith({})
    const env = { OPENAI_API_KEY: 'sk-secret', GROQ_API_KEY: 'gsk-secret' }
    const { list, find } = await modelsOf({ paidProviders: ['openai', 'xai'] }, { env })
    expect(await list()).toEqual(['default by toolglot', 'openai/gpt-5-mini by openai'])
    expect((await find('openai/any-name'))?.model).toMatchObject({ name: 'any-name', native: true })
    expect(await find('groq/llama-3.3-70b-versatile')).toBeUndefined()
    expect(await find('xai/grok-4')).toBeUndefined()
    expect(await find('openai/')).toBeUndefined()
    expect(await find('openai/a\nb')).toBeUndefined()
  })

  test('never refer to a paid provider if a local server has the name', async () => {
    const env = { OPENAI_API_KEY: 'sk-secret' }
    const both = ['openai/a', 'openai/b']
    serversWith({ ollama: both, lmstudio: ['openai/b'] })
    const gateway = { models: { own: { model: 'openai/a' } } }
    const { find } = await modelsOf({ paidProviders: ['openai'], gateway }, { env })
    for (const name of ['openai/a', 'own'])
      expect((await find(name))?.model.reference).toBe('ollama/openai/a')
    expect(await find('openai/b')).toBeUndefined()
    expect((await find('openai/c'))?.model.reference).toBe('openai/c')
  })

  test('start with those in the settings, and * matches all other names', async () => {
    serversWith({ ollama: ['qwen3:8b'] })
    const { list, find } = await modelsOf({
      gateway: {
        models: {
          coder: { model: 'ollama/qwen3:8b' },
          'qwen3:8b': { model: 'http://127.0.0.1:1/v1#other' },
          'gpt-5': { model: 'script' },
          '*': { model: 'default' },
        },
      },
    })
    expect(await list()).toEqual([
      'default by toolglot',
      'coder by ollama',
      'qwen3:8b by toolglot',
      'gpt-5 by toolglot',
      'ollama/qwen3:8b by ollama',
    ])
    expect((await find('coder'))?.model.reference).toBe('ollama/qwen3:8b')
    expect((await find('qwen3:8b'))?.model.reference).toBe('http://127.0.0.1:1/v1#other')
    expect((await find('gpt-5'))?.model.reference).toBe('script')
    expect((await find('claude-opus'))?.model.reference).toBe('ollama/qwen3:8b')
    expect((await find('ollama/qwen3:8b'))?.model.reference).toBe('ollama/qwen3:8b')
  })

  test('cannot be extended by a folder', async () => {
    serversWith({})
    const gateway = { models: { '*': { model: 'http://evil.example/v1#a' } } }
    const folder = { '.toolglot/settings.json': { gateway } }
    const { find, workspace } = await modelsOf({}, { folder })
    expect(await find('anything')).toBeUndefined()
    expect(workspace.warnings.join()).toContain('"gateway" is only read from your own settings')
  })
})

describe('the default model', () => {
  test('comes from the command line, the settings or the machine', async () => {
    serversWith({ ollama: ['qwen3:8b', 'gemma3'] })
    const reference = async (settings: object, options = {}) =>
      (await (await modelsOf(settings, options)).find('default'))?.model.reference
    expect(await reference({})).toBe('ollama/qwen3:8b')
    expect(await reference({ model: 'ollama/gemma3' })).toBe('ollama/gemma3')
    expect(await reference({ model: 'ollama/gemma3' }, { model: 'script' })).toBe('script')
    const gateway = { models: { default: { model: 'ollama/gemma3' } } }
    expect(await reference({ gateway }, { model: 'script' })).toBe('ollama/gemma3')
  })

  test('has the protocol of the command line', async () => {
    serversWith({ ollama: ['qwen3:8b'] })
    const { find } = await modelsOf(
      { gateway: { models: { other: { model: 'ollama/qwen3:8b' }, '*': { model: 'default' } } } },
      { protocol: 'mistral' },
    )
    expect((await find('default'))?.protocol).toMatchObject({ id: 'mistral' })
    expect((await find('unknown'))?.protocol).toMatchObject({ id: 'mistral' })
    expect((await find('other'))?.protocol).toBeUndefined()
  })

  test('is the demo script until there is a model, and changes are reported', async () => {
    const running: { ollama?: string[] } = {}
    serversWith(running)
    let now = 0
    const told: ChosenModel[] = []
    const { find } = await modelsOf(
      {},
      { now: () => now, onDefault: (chosen) => told.push(chosen) },
    )
    expect((await find('default'))?.model.reference).toBe('script')
    running.ollama = ['qwen3:8b']
    expect((await find('default'))?.model.reference).toBe('script')
    now += 5001
    expect((await find('default'))?.model.reference).toBe('ollama/qwen3:8b')
    now += 60_001
    await find('default')
    expect(told.map(({ reference }) => reference)).toEqual(['script', 'ollama/qwen3:8b'])
    expect(told[0]!.why).toContain('no model server is running')
  })

  test('costs money only if the user agreed', async () => {
    serversWith({})
    const env = { OPENAI_API_KEY: 'sk-secret' }
    const { find } = await modelsOf({}, { env })
    const error = await find('default').catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(GatewayError)
    expect(error).toMatchObject({
      status: 503,
      code: 'model_unavailable',
      message: 'This model cannot be used. See the log of the gateway.',
      cause: { message: expect.stringContaining('OpenAI costs money') as string },
    })
    const agreed = await modelsOf({ paidProviders: ['openai'] }, { env })
    expect((await agreed.find('default'))?.model.reference).toBe('openai/gpt-5-mini')
  })
})

describe('the connection to a model', () => {
  test('follows its settings', async () => {
    serversWith({ ollama: ['qwen3:8b'] })
    const { find } = await modelsOf(
      {
        gateway: {
          models: {
            a: {
              model: 'ollama/qwen3:8b',
              protocol: 'qwen3-coder',
              toolsIn: 'request',
              contextTokens: 9000,
              images: true,
              prefill: false,
              temperature: 0.2,
              topP: 0.9,
              maxOutputTokens: 100,
              body: { top_k: 20 },
              streamArguments: true,
            },
            b: { model: 'ollama/qwen3:8b', native: true },
            c: { model: 'ollama/qwen3:8b', protocol: 'native' },
            d: { model: 'openai/gpt-5-mini', native: false },
            e: { model: 'http://127.0.0.1:1/v1#other', native: true, contextTokens: 5000 },
            f: { model: 'ollama/qwen3:8b', contextTokens: 1_000_000 },
          },
        },
      },
      { env: { OPENAI_API_KEY: 'sk-not-a-key' } },
    )
    const { model, protocol, ...rest } = (await find('a'))!
    expect(model).toMatchObject({ contextTokens: 9000, images: true, prefill: false })
    expect(protocol).toMatchObject({ id: 'qwen3-coder' })
    expect(rest).toEqual({
      toolsIn: 'request',
      streamArguments: true,
      defaults: { temperature: 0.2, topP: 0.9, maxOutputTokens: 100, body: { top_k: 20 } },
    })
    expect(await find('b')).toMatchObject({ model: { native: true, roles: ['system', 'tool'] } })
    expect(await find('c')).toMatchObject({ protocol: 'native' })
    expect(await find('d')).toMatchObject({ model: { native: false, roles: ['system'] } })
    expect(await find('e')).toMatchObject({
      model: { native: true, roles: ['system', 'tool'], contextTokens: 5000 },
    })
    // Capped at the model's maximum.
    expect(await find('f')).toMatchObject({ model: { contextTokens: 40_960 } })
    expect((await find('ollama/qwen3:8b'))!.defaults).toEqual({})
  })

  test("supports the user's own protocol", async () => {
    serversWith({})
    const gateway = { models: { a: { model: 'ollama/a', protocol: 'arrow' } } }
    const { workspace } = await modelsOf({ gateway })
    const protocol = { ...protocols.hermes, id: 'arrow' }
    const ownProtocols = async () => [{ file: 'arrow.mjs', protocol, examples: {} }]
    const models = workspaceModels({ ...workspace, ownProtocols })
    expect(await models.find('a', forever)).toMatchObject({ protocol: { id: 'arrow' } })
  })

  test.each([
    [{ protocol: 'hermez' }, 'Unknown protocol'],
    [{ model: 'default', toolsIn: 'prompt' }, 'Native function calling does not describe'],
  ])('fails for an impossible combination: %j', async (given, message) => {
    serversWith({})
    const settings = { gateway: { models: { a: { model: 'ollama/a', ...given } } } }
    const { find } = await modelsOf(settings, { model: 'ollama/a', protocol: 'native' })
    await expect(find('a')).rejects.toMatchObject({
      code: 'model_unavailable',
      message: 'This model cannot be used. See the log of the gateway.',
      cause: { message: expect.stringContaining(message) as string },
    })
  })
})

describe('caching', () => {
  test('simultaneous requests share one search and one connection', async () => {
    const { requests } = serversWith({ ollama: ['qwen3:8b'] })
    const { find } = await modelsOf({})
    const found = await Promise.all(Array.from({ length: 20 }, () => find('qwen3:8b')))
    expect(new Set(found).size).toBe(1)
    expect(requests.filter((url) => url.endsWith('/api/tags'))).toHaveLength(1)
  })

  test('keeps a search for some seconds, a connection for a minute', async () => {
    const { requests } = serversWith({ ollama: ['qwen3:8b'] })
    let now = 0
    const { find } = await modelsOf({}, { now: () => now })
    const searched = (): number => requests.filter((url) => url.endsWith('/api/tags')).length
    const first = await find('qwen3:8b')
    now = 4999
    expect(await find('qwen3:8b')).toBe(first)
    expect(searched()).toBe(1)
    now = 5001
    expect(await find('qwen3:8b')).toBe(first)
    expect(searched()).toBe(2)
    now = 60_001
    expect(await find('qwen3:8b')).not.toBe(first)
  })

  test('does not remember that a server was missing', async () => {
    const running: { ollama?: string[] } = {}
    serversWith(running)
    let now = 0
    const gateway = { models: { a: { model: 'ollama/qwen3:8b' } } }
    const { find } = await modelsOf({ gateway }, { now: () => now })
    // The value that Ollama will get.
    expect((await find('a'))?.model.contextTokens).toBe(8192)
    running.ollama = ['qwen3:8b']
    now = 5001
    expect((await find('a'))?.model.contextTokens).toBe(4096)
  })

  test('an invalid default does not affect other models', async () => {
    serversWith({ ollama: ['qwen3:8b'] })
    const gateway = { models: { a: { model: 'ollama/qwen3:8b' } } }
    const { find, list } = await modelsOf({ gateway }, { env: { TOOLGLOT_MODEL: 'nonsense' } })
    expect((await find('a'))?.model.reference).toBe('ollama/qwen3:8b')
    const cause = { message: expect.stringContaining('TOOLGLOT_MODEL') as string }
    await expect(find('default')).rejects.toMatchObject({ code: 'model_unavailable', cause })
    await expect(find('qwen3:8b')).rejects.toMatchObject({ code: 'model_unavailable', cause })
    await expect(list()).rejects.toMatchObject({
      message: 'The models cannot be looked up. See the log of the gateway.',
      cause,
    })
  })

  test('an invalid default does not affect the model for all other names', async () => {
    serversWith({ ollama: ['qwen3:8b'] })
    const gateway = { models: { '*': { model: 'ollama/qwen3:8b' } } }
    const { find } = await modelsOf({ gateway }, { env: { TOOLGLOT_MODEL: 'nonsense' } })
    expect((await find('anything'))?.model.reference).toBe('ollama/qwen3:8b')
  })

  test('an aborted lookup does not return the model for all other names', async () => {
    serversWith({ ollama: ['qwen3:8b'] })
    const gateway = { models: { '*': { model: 'ollama/qwen3:8b' } } }
    const { workspace } = await modelsOf({ gateway })
    const gone = AbortSignal.abort(new Error('gone'))
    await expect(workspaceModels(workspace).find('anything', gone)).rejects.toThrow('gone')
  })
})

test("sends the user's key to servers that they chose, not to those of a folder", async () => {
  serversWith({})
  const server = await modelServer(events(delta({ content: 'Hi' }), delta({}, 'stop'), '[DONE]'))
  const reference = `${server.url}/v1#qwen3:8b`
  const env = { TOOLGLOT_API_KEY: 'the-key' }
  const ask = async (options: Awaited<ReturnType<typeof modelsOf>>, name: string) => {
    const { model } = (await options.find(name))!
    const messages = [{ role: 'user' as const, content: 'Hello' }]
    for await (const _ of model.reply({ messages, signal: forever })) continue
    return server.requests.at(-1)!.headers.authorization
  }
  const own = await modelsOf({ gateway: { models: { a: { model: reference } } } }, { env })
  expect(await ask(own, 'a')).toBe('Bearer the-key')

  const folder = { '.toolglot/settings.json': { model: reference } }
  const theirs = await modelsOf({}, { env, folder })
  trustFolder(theirs.workspace, theirs.workspace)
  const trusted = await openWorkspace(theirs.workspace.folder, { env: theirs.workspace.env })
  const find = workspaceModels(trusted).find.bind(undefined, 'default', forever)
  expect(await ask({ ...theirs, find }, 'default')).toBeUndefined()
})
