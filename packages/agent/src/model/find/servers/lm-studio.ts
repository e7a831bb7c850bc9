import { validModelName, objectsIn, validTokenCount, type LocalServer } from '../local-server.ts'

export const lmStudio: LocalServer = {
  id: 'lmstudio',
  name: 'LM Studio',
  port: 1234,
  start: 'lms server start',
  abilities: { prefill: true },

  contextAdvice: (model, tokens) =>
    `Load it again with a larger context: lms load ${model} --context-length ${tokens}.`,

  chooseContext({ wanted, contextTokens, trainedTokens }) {
    // Before a model is loaded, only its maximum context is known.
    const loaded = contextTokens ?? (trainedTokens === undefined ? undefined : (wanted ?? DEFAULT))
    const known = [wanted, loaded, trainedTokens].filter((each) => each !== undefined)
    return known.length === 0 ? undefined : Math.min(...known)
  },

  async listModels(fetchJson) {
    const list = (await fetchJson('/api/v0/models')) ?? (await fetchJson('/v1/models'))
    if (!Array.isArray(list?.['data'])) return undefined
    return objectsIn(list['data']).flatMap((model) => {
      const name = validModelName(model['id'])
      // Embedding models cannot chat.
      if (name === undefined || model['type'] === 'embeddings') return []
      const { capabilities, state } = model
      return {
        name,
        contextTokens: validTokenCount(model['loaded_context_length']),
        trainedTokens: validTokenCount(model['max_context_length']),
        tools: Array.isArray(capabilities) ? capabilities.includes('tool_use') : undefined,
        images: model['type'] === 'vlm' || undefined,
        loaded: state === 'loaded' || undefined,
      }
    })
  },
}

/** The context with which LM Studio loads a model on its first request, unless configured otherwise. */
const DEFAULT = 4096
