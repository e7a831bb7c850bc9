import { type FoundModel, known, modelName, objectsIn, tokenCount } from '../found-model.ts'
import type { LocalServer } from '../local-server.ts'

export const vllm: LocalServer = {
  id: 'vllm',
  name: 'vLLM',
  port: 8000,
  start: 'vllm serve MODEL',

  async look(ask) {
    const list = await ask('/v1/models')
    if (!Array.isArray(list?.['data'])) return undefined
    return objectsIn(list['data']).flatMap((model) => {
      const name = modelName(model['id'])
      if (name === undefined) return []
      return known<FoundModel>({
        name,
        contextTokens: tokenCount(model['max_model_len']),
        trainedTokens: undefined,
        chatTemplate: undefined,
        templateLanguage: undefined,
        tools: undefined,
        // It serves what it has in memory.
        loaded: true,
      })
    })
  },

  async countTokens(ask, model, text) {
    const answer = await ask('/tokenize', { model, prompt: text, add_special_tokens: false })
    const count = answer?.['count']
    return Number.isSafeInteger(count) && Number(count) >= 0 ? Number(count) : undefined
  },
}
