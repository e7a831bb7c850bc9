import { describe, expect, test } from 'vitest'
import { chooseModel } from './choose-model.ts'
import type { FoundModels, FoundServer } from './find-models.ts'
import type { FoundModel } from './local-server.ts'
import { parseReference } from './connect-model.ts'

const server = (id: string, ...models: FoundModel[]): FoundServer => ({
  id,
  name: id,
  url: 'http://127.0.0.1:1',
  status: 'running',
  models,
  start: 'start',
})
const none: FoundModels = { servers: [], keys: [] }
const openai = {
  provider: 'openai',
  name: 'OpenAI',
  variable: 'OPENAI_API_KEY',
  url: 'https://api.openai.com/v1',
  usual: 'gpt',
}
const groq = { ...openai, provider: 'groq', name: 'Groq', variable: 'GROQ_API_KEY' }
const local = server('ollama', { name: 'qwen3:8b' })
const saved = { reference: 'openai/gpt-5', scope: 'user' } as const

describe('the chosen model and the reason', () => {
  test.each<[string, FoundModels, string | undefined, string]>([
    [
      'the variable first',
      { named: 'vllm/a', saved, servers: [local], keys: [openai] },
      'vllm/a',
      'set by TOOLGLOT_MODEL',
    ],
    [
      'then the saved default',
      { saved, servers: [local], keys: [openai] },
      'openai/gpt-5',
      'the default in your settings',
    ],
    [
      'then a local server',
      { servers: [local], keys: [openai] },
      'ollama/qwen3:8b',
      'ollama is running at http://127.0.0.1:1',
    ],
    [
      'of several models, one that is in memory',
      { servers: [server('vllm', { name: 'qwen3' }, { name: 'odd', loaded: true })], keys: [] },
      'vllm/odd',
      'vllm is running at http://127.0.0.1:1 with 2 models, and this one is in memory',
    ],
    [
      'of several models, one whose calls can be read',
      {
        servers: [
          server('vllm', { name: 'odd' }, { name: 'odder', tools: true }, { name: 'qwen3' }),
        ],
        keys: [],
      },
      'vllm/qwen3',
      'with 3 models',
    ],
    [
      'a server without models is skipped',
      { servers: [server('ollama'), server('vllm', { name: 'a' })], keys: [] },
      'vllm/a',
      'vllm is running',
    ],
    [
      'then API keys',
      { servers: [], keys: [openai] },
      'openai/gpt',
      'no model is running on this machine, and OPENAI_API_KEY is set',
    ],
    [
      'only a server without models',
      { servers: [server('ollama')], keys: [] },
      undefined,
      'has no models',
    ],
    ['nothing', none, undefined, 'no API key is set'],
  ])('%s', (_, found, reference, why) => {
    const choice = chooseModel(found)
    expect(choice.reference).toBe(reference)
    expect(choice.why).toContain(why)
  })
})

test('a paid provider needs consent, once', () => {
  const found = { ...none, keys: [openai, groq] }
  expect(chooseModel(found)).toMatchObject({ costs: { provider: 'openai', name: 'OpenAI' } })
  const agreed = chooseModel(found, { paid: ['groq'] })
  expect(agreed).toMatchObject({ reference: 'groq/gpt' })
  expect(agreed).not.toHaveProperty('costs')
  // A user who selects a paid model agrees to pay; a folder's settings don't count as consent.
  expect(chooseModel({ ...none, named: 'openai/a' })).not.toHaveProperty('costs')
  expect(chooseModel({ ...none, saved })).not.toHaveProperty('costs')
  expect(chooseModel({ ...none, saved: { ...saved, scope: 'project' } })).toMatchObject({
    costs: { provider: 'openai' },
  })
})

test('an invalid reference is reported with its source', () => {
  expect(() => chooseModel({ ...none, named: 'olama/x' })).toThrow(
    "TOOLGLOT_MODEL: Invalid model 'olama/x'. Did you mean ollama/x?",
  )
})

describe('references', () => {
  test.each([
    'ollama/qwen3:8b',
    'ollama/hf.co/a/b:Q4_K_M',
    'openrouter/openrouter/auto',
    'llama.cpp//models/a.gguf',
    'http://127.0.0.1:8080/v1#qwen3',
    'https://a.example/v1?x=1#b/c',
  ])('%s is valid and unchanged', (text) => {
    expect(parseReference(text)).toBe(text)
    expect(parseReference(` ${text}\n`)).toBe(text)
  })

  test.each([
    ['olama/qwen3', 'Did you mean ollama/qwen3?'],
    ['opnai/gpt', 'Did you mean openai/gpt?'],
    ['qwen3:8b', 'Add the provider, such as ollama/qwen3:8b'],
    [
      'hub/qwen3',
      'The part before the slash must be one of ollama, llama.cpp, lmstudio, vllm, openai,',
    ],
    ['ollama', 'Add a model name: ollama/MODEL'],
    ['ollama/', 'Add a valid model name after ollama/'],
    ['ollama/a\x1b[2J', 'Add a valid model name after ollama/'],
    ['http://127.0.0.1:8080/v1', 'Add #MODEL at the end of the URL'],
    ['http://127.0.0.1:8080/v1#', 'Add #MODEL at the end of the URL'],
    ['http://[/#a', 'Check the URL'],
    ['', 'before the slash'],
  ])('%j is invalid', (text, message) => {
    expect(() => parseReference(text)).toThrow(TypeError)
    expect(() => parseReference(text)).toThrow(message)
  })

  test('a password or key in a reference is not shown', () => {
    expect(() => parseReference('http://me:hush@a/v1#b')).toThrow(/^(?!.*hush).*TOOLGLOT_API_KEY/)
    const key = 'sk-abcdefghijklmnopqrstuvwx'
    expect(() => parseReference(key)).toThrow(/Invalid model 'sk-a\[redacted\]'/)
  })
})

describe('a name that a local server and a paid provider may share', () => {
  const studio = server('lmstudio', { name: 'openai/gpt-oss-20b' })
  const name = 'openai/gpt-oss-20b'

  test("refers to the local model, regardless of the reference's source", () => {
    const found = { servers: [local, studio], keys: [openai] }
    expect(parseReference(name, { found })).toBe(`lmstudio/${name}`)
    const [named, own] = [{ named: name }, { saved: { reference: name, scope: 'user' as const } }]
    for (const given of [named, own])
      expect(chooseModel({ ...found, ...given })).toMatchObject({ reference: `lmstudio/${name}` })
  })

  test("means the provider's model if no server has exactly this name", () => {
    const close = server('lmstudio', { name: 'openai/gpt-oss-20b-mlx' }, { name: 'gpt-oss-20b' })
    for (const servers of [[], [close]])
      expect(parseReference(name, { found: { servers } })).toBe(name)
    expect(parseReference(name)).toBe(name)
  })

  test('is rejected if two servers have it', () => {
    const found = { servers: [studio, { ...studio, id: 'vllm' }] }
    expect(() => parseReference(name, { found })).toThrow(
      `2 servers have a model named '${name}'. Choose one of lmstudio/${name}, vllm/${name}`,
    )
  })
})
