import {
  type FoundModel,
  known,
  modelName,
  objectsIn,
  templateText,
  tokenCount,
} from '../found-model.ts'
import type { LocalServer } from '../local-server.ts'

export const llamaCpp: LocalServer = {
  id: 'llama.cpp',
  name: 'llama.cpp',
  port: 8080,
  start: 'llama-server -m model.gguf',

  async look(ask) {
    const [list, properties] = await Promise.all([ask('/v1/models'), ask('/props')])
    if (!Array.isArray(list?.['data'])) return undefined
    const { default_generation_settings: settings } = properties ?? {}
    const models = objectsIn(list['data'])
    return models.flatMap(({ id, meta, status }) => {
      const name = modelName(id)
      if (name === undefined) return []
      // Where it serves several, what it says is of none of them.
      const own = models.length === 1
      const template = own ? templateText(properties?.['chat_template']) : undefined
      return known<FoundModel>({
        name,
        contextTokens: own ? tokenCount(member(settings, 'n_ctx')) : undefined,
        trainedTokens: tokenCount(member(meta, 'n_ctx_train')),
        chatTemplate: template,
        templateLanguage: template === undefined ? undefined : 'jinja',
        tools: undefined,
        loaded: own || member(status, 'value') === 'loaded' || undefined,
      })
    })
  },

  async countTokens(ask, _model, text) {
    const answer = await ask('/tokenize', { content: text })
    const { tokens } = answer ?? {}
    return Array.isArray(tokens) ? tokens.length : undefined
  },
}

function member(value: unknown, key: string): unknown {
  return (value as Record<string, unknown> | null | undefined)?.[key]
}
