import { expect, test } from 'vitest'
import { findModel, shortName } from './model-names.ts'

test.each([
  ['ollama/qwen3:8b', 'qwen3:8b'],
  ['ollama/hf.co/bartowski/x:Q4', 'hf.co/bartowski/x:Q4'],
  ['http://127.0.0.1:8080/v1#qwen3:8b', 'qwen3:8b'],
  ['http://127.0.0.1:8080/v1', 'http://127.0.0.1:8080/v1'],
  ['http://127.0.0.1:8080/v1#', 'http://127.0.0.1:8080/v1#'],
  ['script', 'script'],
  ['', ''],
  ['ollama/', 'ollama/'],
])('%s is %s for short', (reference, expected) => {
  expect(shortName(reference)).toBe(expected)
})

test('a model is found on any server', () => {
  const model = { reference: 'b/x', name: 'x' }
  const server = { id: 'a', name: 'A', url: '', status: 'running', start: '', models: [] } as const
  const list = { servers: [server, { ...server, id: 'b', models: [model] }] }
  expect(findModel(list, 'b/x')).toBe(model)
  expect(findModel(list, 'a/x')).toBeUndefined()
  expect(findModel(undefined, 'b/x')).toBeUndefined()
})
