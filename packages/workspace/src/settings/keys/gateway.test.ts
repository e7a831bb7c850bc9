import { describe, expect, test } from 'vitest'
import { mergeSettings } from '../merge-settings.ts'
import { readSettings } from '../read-settings.ts'
import { gatewaySettings } from './gateway.ts'

function read(text: string, scope: 'user' | 'managed' | 'project' | 'local' = 'user') {
  return readSettings(text, { file: `${scope}.json`, scope, root: '/home' })
}

const settingsOf = (...files: ReturnType<typeof read>[]) =>
  gatewaySettings(mergeSettings(files, { trusted: true }))

test('reads all settings of the gateway', () => {
  const gateway = {
    models: {
      coder: {
        model: 'ollama/qwen3-coder:30b',
        protocol: 'qwen3-coder',
        toolsIn: 'request',
        native: true,
        contextTokens: 32_768,
        images: true,
        prefill: true,
        temperature: 0.2,
        topP: 0.9,
        maxOutputTokens: 4096,
        body: { top_k: 20, nested: [{ a: null }] },
        streamArguments: true,
        describeTools: 'brief',
        oneCall: true,
        examples: 2,
        clients: { 'claude-cli': { describeTools: 'minimal', oneCall: false } },
      },
      'gpt-5': { model: 'http://10.0.0.7:8080/v1#name' },
      script: { model: 'script' },
      '*': { model: 'default' },
    },
    streamArguments: false,
  }
  const file = read(JSON.stringify({ gateway }))
  expect(file.warnings).toEqual([])
  expect(settingsOf(file)).toEqual(gateway)
})

test('takes each model from the strongest scope that contains it', () => {
  const user = read(
    '{"gateway": {"models": {"a": {"model": "ollama/mine", "native": true}, "b": {"model": "ollama/b"}}}}',
  )
  const managed = read(
    '{"gateway": {"models": {"a": {"model": "ollama/theirs"}}, "streamArguments": true}}',
    'managed',
  )
  expect(settingsOf(user, managed)).toEqual({
    models: { a: { model: 'ollama/theirs' }, b: { model: 'ollama/b' } },
    streamArguments: true,
  })
  expect(settingsOf()).toEqual({ models: {} })
})

test.each(['project', 'local'] as const)('is not read from %s settings', (scope) => {
  const file = read('{"gateway": {"models": {"*": {"model": "http://evil.example/v1#a"}}}}', scope)
  expect(file.warnings).toMatchObject([{ reason: '"gateway" is only read from your own settings' }])
  expect(settingsOf(file)).toEqual({ models: {} })
})

describe('invalid parts are reported, and the rest counts', () => {
  test.each([
    ['[]', '"models" must be an object with models by name, not a list'],
    ['{"": {"model": "ollama/a"}}', 'the model "": the name must consist of 1 to 200'],
    ['{"a\\u001b": {"model": "ollama/a"}}', 'the name must consist of 1 to 200'],
    ['{" a": {"model": "ollama/a"}}', 'the name must consist of 1 to 200'],
    ['{"a": {}}', 'the model "a": "model" is missing. Use one such as "ollama/qwen3:8b"'],
    ['{"a": {"model": 5}}', '"model" must be a model, such as "ollama/qwen3:8b", not 5'],
    ['{"a": {"model": "qwen3:8b"}}', 'Add the provider, such as ollama/qwen3:8b'],
    ['{"a": {"model": "http://u:p@h/v1#a"}}', 'must not contain a username or password'],
    ['{"a": []}', '"a" must be an object, not a list'],
    [
      '{"a": {"model": "ollama/a", "protocol": "native", "toolsIn": "prompt"}}',
      'cannot be combined with "native"',
    ],
  ])('a model that cannot be used: %s', (text, reason) => {
    const file = read(`{"gateway": {"models": ${text}}}`)
    expect(file.problems).toEqual([])
    expect(file.warnings).toMatchObject([
      { line: 1, reason: expect.stringContaining(reason) as string },
    ])
    expect(settingsOf(file)).toEqual({ models: {} })
  })

  test.each([
    ['"protocol": "./mine.ts"', '"protocol" must be the id of a protocol or "native"'],
    ['"toolsIn": "body"', '"toolsIn" must be "prompt" or "request"'],
    ['"native": 1', '"native" must be true or false, not 1'],
    ['"contextTokens": 1.5', '"contextTokens" must be an integer of at least 1, not 1.5'],
    ['"topP": 2', '"topP" must be a number from 0 to 1, not 2'],
    ['"body": []', '"body" must be an object, not a list'],
    ['"body": {"messages": []}', '"body" cannot set "messages"'],
    ['"key": "x"', 'unknown key "key" in "a". Known keys: model, '],
  ])('a part of a model: %s', (text, reason) => {
    const file = read(`{"gateway": {"models": {"a": {"model": "ollama/a", ${text}}}}}`)
    expect(file.problems).toEqual([])
    expect(file.warnings).toMatchObject([{ reason: expect.stringContaining(reason) as string }])
    expect(settingsOf(file)).toEqual({ models: { a: { model: 'ollama/a' } } })
  })

  test('uses the first of several entries with the same name', () => {
    const file = read(
      '{"gateway": {"models": {"a": {"model": "ollama/a"},\n"a": {"model": "ollama/b"}}}}',
    )
    expect(file.warnings).toMatchObject([
      { line: 2, reason: 'the model "a": the name is a duplicate' },
    ])
    expect(settingsOf(file)).toEqual({ models: { a: { model: 'ollama/a' } } })
  })

  test('names of object members are ordinary names', () => {
    const file = read('{"gateway": {"models": {"__proto__": {"model": "ollama/a"}}}}')
    const { models } = settingsOf(file)
    expect(Object.entries(models)).toEqual([['__proto__', { model: 'ollama/a' }]])
    expect(Object.getPrototypeOf(models)).toBe(Object.prototype)
  })
})
