import { ollamaModel } from '../../ollama/ollama-model.ts'
import {
  validModelName,
  objectsIn,
  validTemplate,
  validTokenCount,
  type LocalServer,
} from '../local-server.ts'

export const ollama: LocalServer = {
  id: 'ollama',
  name: 'Ollama',
  port: 11434,
  start: 'ollama serve',
  // Confirmed by the maintainers: https://github.com/ollama/ollama/issues/6778.
  abilities: { prefill: true },

  contextAdvice: (_model, tokens) =>
    `Ask for a larger context with --context ${tokens}, or set it for good: toolglot config set context ${tokens}.`,

  chooseContext({ wanted, contextTokens, trainedTokens = Infinity }) {
    return Math.min(wanted ?? contextTokens ?? DEFAULT_CONTEXT, trainedTokens)
  },

  connect(given, { thinking, keepAlive }) {
    const { extensions: _, countTokens: __, grammars: ___, needsDone: ____, ...options } = given
    return ollamaModel({ ...options, thinking, keepAlive })
  },

  addressVariable: 'OLLAMA_HOST',

  /**
   * Parses OLLAMA_HOST like Ollama does: `host`, `host:port` or a URL. 0.0.0.0 means all
   * interfaces, including this machine.
   */
  address({ OLLAMA_HOST: host }) {
    const given = host?.trim()
    if (!given) return undefined
    const text = given.includes('://') ? given : `http://${given}`
    if (/\s/.test(given) || !/^https?:/i.test(text) || !URL.canParse(text)) return undefined
    const url = new URL(text)
    const port = url.port || (text === given ? '' : '11434')
    const name = url.hostname === '0.0.0.0' ? '127.0.0.1' : url.hostname
    return `${url.protocol}//${name}${port && `:${port}`}`
  },

  async listModels(fetchJson) {
    const [list, running] = await Promise.all([fetchJson('/api/tags'), fetchJson('/api/ps')])
    if (!Array.isArray(list?.['models'])) return undefined
    const loaded = new Map(
      objectsIn(running?.['models']).map((model) => [model['name'], model['context_length']]),
    )
    const names = objectsIn(list['models']).flatMap(({ name }) => validModelName(name) ?? [])
    const details = await Promise.all(
      names.slice(0, MAX_DETAILS).map((name) => fetchJson('/api/show', { model: name })),
    )
    return names.flatMap((name, index) => {
      const detail = details[index]
      const capabilities = detail?.['capabilities']
      // Embedding models cannot chat.
      if (Array.isArray(capabilities) && !capabilities.includes('completion')) return []
      const template = validTemplate(detail?.['template'])
      return {
        name,
        contextTokens: validTokenCount(loaded.get(name)) ?? contextIn(detail?.['parameters']),
        trainedTokens: trainedIn(detail?.['model_info']),
        chatTemplate: template,
        templateLanguage: template === undefined ? undefined : 'go',
        tools: Array.isArray(capabilities) ? capabilities.includes('tools') : undefined,
        images: (Array.isArray(capabilities) && capabilities.includes('vision')) || undefined,
        loaded: loaded.has(name) || undefined,
      }
    })
  },
}

/**
 * The context size for models that are not in memory and do not set their own. Ollama's default of
 * 4096 tokens is too small for work with tools. Doubling it costs about half a gigabyte for a model
 * with eight billion parameters.
 */
const DEFAULT_CONTEXT = 8192

/** The maximum number of models to request details for. */
const MAX_DETAILS = 40

/** Reads parameters, which are lines such as `num_ctx   8192`. */
function contextIn(parameters: unknown): number | undefined {
  if (typeof parameters !== 'string') return undefined
  const [, digits] = /^num_ctx[ \t]{1,99}(\d{1,9})/m.exec(parameters) ?? []
  return validTokenCount(Number(digits))
}

/**
 * Finds the key that consists of the architecture and `.context_length`, such as
 * `qwen3.context_length`.
 */
function trainedIn(info: unknown): number | undefined {
  if (typeof info !== 'object' || info === null) return undefined
  const [, tokens] = Object.entries(info).find(([key]) => key.endsWith('.context_length')) ?? []
  return validTokenCount(tokens)
}
