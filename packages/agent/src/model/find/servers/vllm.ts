import { validModelName, objectsIn, validTokenCount, type LocalServer } from '../local-server.ts'

export const vllm: LocalServer = {
  id: 'vllm',
  name: 'vLLM',
  port: 8000,
  start: 'vllm serve MODEL',
  // vLLM tells the two syntaxes apart by `::=`.
  // https://docs.vllm.ai/en/latest/features/structured_outputs
  abilities: { extensions: 'vllm', prefill: true, grammars: ['gbnf', 'lark'] },

  contextAdvice: (model, tokens) =>
    `Restart it with a larger context: vllm serve ${model} --max-model-len ${tokens}.`,

  async listModels(fetchJson) {
    const list = await fetchJson('/v1/models')
    if (!Array.isArray(list?.['data'])) return undefined
    return objectsIn(list['data']).flatMap((model) => {
      const name = validModelName(model['id'])
      if (name === undefined) return []
      return {
        name,
        contextTokens: validTokenCount(model['max_model_len']),
        // vLLM lists only models that are in memory.
        loaded: true,
      }
    })
  },

  async countTokens(fetchJson, model, text) {
    const answer = await fetchJson('/tokenize', { model, prompt: text, add_special_tokens: false })
    const count = answer?.['count']
    return Number.isSafeInteger(count) && Number(count) >= 0 ? Number(count) : undefined
  },
}
