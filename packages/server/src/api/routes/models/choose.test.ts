import { expect, test } from 'vitest'
import { publicReference } from './choose.ts'

test.each([
  ['ollama/qwen3:8b', 'ollama/qwen3:8b'],
  ['/models/qwen.gguf', '/models/qwen.gguf'],
  ['http://host/v1?x=hunter2#name', 'http://host/v1#name'],
  ['completion:http://host?x=hunter2', 'completion:http://host/'],
  ['completion:http://host/v1?token=hunter2#name', 'completion:http://host/v1#name'],
  [
    'completion:/a/t.json@http://host/v1?x=hunter2#name',
    'completion:/a/t.json@http://host/v1#name',
  ],
])('%s is shown as %s', (reference, shown) => {
  expect(publicReference(reference)).toBe(shown)
})
