import { type FoundModel, known, modelName, objectsIn, tokenCount } from '../found-model.ts'
import type { LocalServer } from '../local-server.ts'

export const lmStudio: LocalServer = {
  id: 'lmstudio',
  name: 'LM Studio',
  port: 1234,
  start: 'lms server start',

  async look(ask) {
    const list = (await ask('/api/v0/models')) ?? (await ask('/v1/models'))
    if (!Array.isArray(list?.['data'])) return undefined
    return objectsIn(list['data']).flatMap((model) => {
      const name = modelName(model['id'])
      // It has models that only make numbers of texts.
      if (name === undefined || model['type'] === 'embeddings') return []
      const { capabilities, state } = model
      return known<FoundModel>({
        name,
        contextTokens: tokenCount(model['loaded_context_length']),
        trainedTokens: tokenCount(model['max_context_length']),
        chatTemplate: undefined,
        templateLanguage: undefined,
        tools: Array.isArray(capabilities) ? capabilities.includes('tool_use') : undefined,
        loaded: state === 'loaded' || undefined,
      })
    })
  },
}
