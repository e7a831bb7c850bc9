import { describe, expect, test } from 'vitest'
import { chooseModel } from './choose-model.ts'
import type { FoundModels, FoundServer } from './find-models.ts'
import type { FoundModel } from './found-model.ts'
import { parseReference, printReference } from './reference.ts'

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

describe('what is chosen, and why', () => {
  test.each<[string, FoundModels, string | undefined, string]>([
    [
      'the variable before all',
      { named: 'vllm/a', saved, servers: [local], keys: [openai] },
      'vllm/a',
      'TOOLGLOT_MODEL names it',
    ],
    [
      'the default next',
      { saved, servers: [local], keys: [openai] },
      'openai/gpt-5',
      'it is the default in your settings',
    ],
    [
      'then what runs here',
      { servers: [local], keys: [openai] },
      'ollama/qwen3:8b',
      'ollama runs at http://127.0.0.1:1',
    ],
    [
      'of several, what is in memory',
      { servers: [server('vllm', { name: 'qwen3' }, { name: 'odd', loaded: true })], keys: [] },
      'vllm/odd',
      'vllm runs at http://127.0.0.1:1 with 2 models, and it is in memory',
    ],
    [
      'of several, whose calls can be read',
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
      'a server without a model is passed over',
      { servers: [server('ollama'), server('vllm', { name: 'a' })], keys: [] },
      'vllm/a',
      'vllm runs',
    ],
    [
      'then keys',
      { servers: [], keys: [openai] },
      'openai/gpt',
      'no model runs on this machine, and OPENAI_API_KEY is set',
    ],
    [
      'a server that is empty',
      { servers: [server('ollama')], keys: [] },
      undefined,
      'has no model',
    ],
    ['nothing', none, undefined, 'no API key is set'],
  ])('%s', (_, found, reference, why) => {
    const choice = chooseModel(found)
    expect(choice.reference).toBe(reference)
    expect(choice.why).toContain(why)
  })
})

test('what costs money needs a yes, once', () => {
  const found = { ...none, keys: [openai, groq] }
  expect(chooseModel(found)).toMatchObject({ costs: { provider: 'openai', name: 'OpenAI' } })
  const agreed = chooseModel(found, { paid: ['groq'] })
  expect(agreed).toMatchObject({ reference: 'groq/gpt' })
  expect(agreed).not.toHaveProperty('costs')
  // Whoever names it said yes; a folder is nobody.
  expect(chooseModel({ ...none, named: 'openai/a' })).not.toHaveProperty('costs')
  expect(chooseModel({ ...none, saved })).not.toHaveProperty('costs')
  expect(chooseModel({ ...none, saved: { ...saved, scope: 'project' } })).toMatchObject({
    costs: { provider: 'openai' },
  })
})

test('a name that cannot be read is told with where it stands', () => {
  expect(() => chooseModel({ ...none, named: 'olama/x' })).toThrow(
    "TOOLGLOT_MODEL: expected a model, such as ollama/qwen3:8b or http://127.0.0.1:8080/v1#name, got 'olama/x': did you mean ollama/x?",
  )
})

describe('references', () => {
  test.each([
    ['ollama/qwen3:8b', { provider: 'ollama', model: 'qwen3:8b' }],
    ['ollama/hf.co/a/b:Q4_K_M', { provider: 'ollama', model: 'hf.co/a/b:Q4_K_M' }],
    ['openrouter/openrouter/auto', { provider: 'openrouter', model: 'openrouter/auto' }],
    ['llama.cpp//models/a.gguf', { provider: 'llama.cpp', model: '/models/a.gguf' }],
    ['http://127.0.0.1:8080/v1#qwen3', { url: 'http://127.0.0.1:8080/v1', model: 'qwen3' }],
    ['https://a.example/v1?x=1#b/c', { url: 'https://a.example/v1?x=1', model: 'b/c' }],
  ])('%s is read and printed', (text, reference) => {
    expect(parseReference(text)).toEqual(reference)
    expect(printReference(parseReference(text))).toBe(text)
  })

  test.each([
    ['olama/qwen3', 'did you mean ollama/qwen3?'],
    ['opnai/gpt', 'did you mean openai/gpt?'],
    ['qwen3:8b', 'say where it is, such as ollama/qwen3:8b'],
    ['hub/qwen3', 'before the slash is one of ollama, llama.cpp, lmstudio, vllm, openai'],
    ['ollama', 'name a model too: ollama/MODEL'],
    ['ollama/', 'name a model behind ollama/'],
    ['ollama/a\x1b[2J', 'name a model behind ollama/'],
    ['http://127.0.0.1:8080/v1', 'name the model behind a #'],
    ['http://127.0.0.1:8080/v1#', 'name the model behind a #'],
    ['http://[/#a', 'check the URL'],
    ['', 'before the slash'],
  ])('%j is not one', (text, message) => {
    expect(() => parseReference(text)).toThrow(TypeError)
    expect(() => parseReference(text)).toThrow(message)
  })

  test('a password or a key in one is not shown', () => {
    expect(() => parseReference('http://me:hush@a/v1#b')).toThrow(/^(?!.*hush).*TOOLGLOT_API_KEY/)
    const key = 'sk-abcdefghijklmnopqrstuvwx'
    expect(() => parseReference(key)).toThrow(/got 'sk-a\[redacted\]'/)
  })
})
