import { describe, expect, test } from 'vitest'
import { readChoices, writeChoices, findModel, shortName } from './choices.ts'

describe('choices for new chats', () => {
  test('are kept for each folder', () => {
    const one = writeChoices(undefined, '/a', { model: 'ollama/x', mode: 'plan' })
    const two = writeChoices(one, '/b', { protocol: 'hermes' })
    expect(readChoices(two, '/a')).toEqual({ model: 'ollama/x', mode: 'plan' })
    expect(readChoices(two, '/b')).toEqual({ protocol: 'hermes' })
    expect(readChoices(two, '/c')).toEqual({})
    expect(readChoices(writeChoices(two, '/a', {}), '/a')).toEqual({})
  })

  test('are removed for folders not used for a long time', () => {
    let stored: string | undefined
    for (let at = 0; at < 60; at++) stored = writeChoices(stored, `/${at}`, { model: `m/${at}` })
    expect(readChoices(stored, '/9')).toEqual({})
    expect(readChoices(stored, '/10')).toEqual({ model: 'm/10' })
    expect(readChoices(stored, '/59')).toEqual({ model: 'm/59' })
  })

  test.each([
    ['http://me:sesame@127.0.0.1/v1#x', undefined],
    ['HTTPS://host/v1?api_key=sesame#x', undefined],
    ['http://127.0.0.1:8080/v1#a@b?c', 'http://127.0.0.1:8080/v1#a@b?c'],
    ['ollama/a@b', 'ollama/a@b'],
  ])('do not store a key in %s', (model, kept) => {
    const stored = writeChoices(undefined, '/a', { model, mode: 'plan' })
    expect(readChoices(stored, '/a').model).toBe(kept)
    expect(readChoices(stored, '/a').mode).toBe('plan')
    expect(stored).not.toContain('sesame')
  })

  test.each([
    undefined,
    '',
    '{',
    '5',
    'null',
    '{"a":1}',
    '[1]',
    '[["/a"]]',
    '[["/a",null]]',
    '[["/a",{"model":5,"protocol":{},"mode":"all"}]]',
    '[["__proto__",{"model":"x"}]]',
  ])('are empty if %s was stored', (stored) => {
    expect(readChoices(stored, '/a')).toEqual({})
  })
})

test.each([
  ['ollama/qwen3:8b', 'qwen3:8b'],
  ['ollama/hf.co/bartowski/x:Q4', 'hf.co/bartowski/x:Q4'],
  ['http://127.0.0.1:8080/v1#qwen3:8b', 'qwen3:8b'],
  ['http://127.0.0.1:8080/v1', 'http://127.0.0.1:8080/v1'],
  ['http://127.0.0.1:8080/v1#', 'http://127.0.0.1:8080/v1#'],
  ['script', 'script'],
  ['', ''],
  ['ollama/', 'ollama/'],
])('shortens %s to %s', (reference, expected) => {
  expect(shortName(reference)).toBe(expected)
})

test('finds a model on any server', () => {
  const model = { reference: 'b/x', name: 'x' }
  const server = { id: 'a', name: 'A', url: '', status: 'running', start: '', models: [] } as const
  const list = { servers: [server, { ...server, id: 'b', models: [model] }] }
  expect(findModel(list, 'b/x')).toBe(model)
  expect(findModel(list, 'a/x')).toBeUndefined()
  expect(findModel(undefined, 'b/x')).toBeUndefined()
})
