import { expect, test } from 'vitest'
import { providerName } from './telemetry.ts'

test.each([
  [{ provider: 'OpenAI', reference: 'openai/gpt' }, 'openai'],
  [{ provider: 'Gemini', reference: 'gemini/a' }, 'gcp.gemini'],
  [{ provider: 'xAI' }, 'x_ai'],
  [{ provider: 'LM Studio', reference: 'lmstudio/a/b' }, 'lmstudio'],
  [{ reference: 'http://127.0.0.1:8080/v1#a' }, '_OTHER'],
  [{ reference: './a.gguf' }, '_OTHER'],
  [{ provider: ' ' }, '_OTHER'],
  [{}, '_OTHER'],
])('%j is served by %s', (model, name) => {
  expect(providerName(model)).toBe(name)
})
