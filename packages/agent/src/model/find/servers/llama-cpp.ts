import {
  validModelName,
  objectsIn,
  validTemplate,
  validTokenCount,
  type LocalServer,
} from '../local-server.ts'

export const llamaCpp: LocalServer = {
  id: 'llama.cpp',
  name: 'llama.cpp',
  port: 8080,
  start: 'llama-server -m model.gguf',
  // Prefill works unless the server was started with --no-prefill-assistant.
  abilities: { extensions: 'llama.cpp', prefill: true, grammars: ['gbnf'] },
  takesAnyName: true,

  contextAdvice: (_model, tokens) =>
    `Restart it with a larger context: llama-server -m model.gguf -c ${tokens}.`,

  async listModels(fetchJson) {
    const [list, properties] = await Promise.all([fetchJson('/v1/models'), fetchJson('/props')])
    if (!Array.isArray(list?.['data'])) return undefined
    const { default_generation_settings: settings } = properties ?? {}
    const models = objectsIn(list['data'])
    return models.flatMap(({ id, meta, status }) => {
      const name = validModelName(id)
      if (name === undefined) return []
      // With several models, it is unclear which of them the server's properties describe.
      const isOnly = models.length === 1
      const template = isOnly ? validTemplate(properties?.['chat_template']) : undefined
      return {
        name,
        contextTokens: isOnly ? validTokenCount(member(settings, 'n_ctx')) : undefined,
        trainedTokens: validTokenCount(member(meta, 'n_ctx_train')),
        chatTemplate: template,
        templateLanguage: template === undefined ? undefined : 'jinja',
        images: (isOnly && member(properties?.['modalities'], 'vision') === true) || undefined,
        loaded: isOnly || member(status, 'value') === 'loaded' || undefined,
      }
    })
  },

  async countTokens(fetchJson, _model, text) {
    const answer = await fetchJson('/tokenize', { content: text })
    const { tokens } = answer ?? {}
    return Array.isArray(tokens) ? tokens.length : undefined
  },
}

function member(value: unknown, key: string): unknown {
  return (value as Record<string, unknown> | null | undefined)?.[key]
}
