// A fake language model of the AI SDK, which writes its calls as text.
import { printCall } from '@toolglot/core'
import { MockLanguageModelV3 } from 'ai/test'

const replies = [
  printCall('hermes', { name: 'weather', args: { city: 'Hanoi' } }),
  'Yes: it rains in Hanoi.',
]

export const textModel: MockLanguageModelV3 = new MockLanguageModelV3({
  modelId: 'hermes-3',
  doGenerate: replies.map((text) => ({
    content: [{ type: 'text', text }],
    finishReason: { unified: 'stop', raw: 'stop' },
    usage: {
      inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: 1, text: 1, reasoning: undefined },
    },
    warnings: [],
  })),
})
