import {
  type FoundModel,
  known,
  modelName,
  objectsIn,
  templateText,
  tokenCount,
} from '../found-model.ts'
import type { LocalServer } from '../local-server.ts'

export const ollama: LocalServer = {
  id: 'ollama',
  name: 'Ollama',
  port: 11434,
  start: 'ollama serve',

  /** As Ollama reads it: `host`, `host:port` or a URL; 0.0.0.0 is where it listens, not where it is. */
  address({ OLLAMA_HOST: host }) {
    const given = host?.trim()
    if (!given) return undefined
    const text = /^https?:\/\//i.test(given) ? given : `http://${given}`
    if (!URL.canParse(text)) return undefined
    const url = new URL(text)
    const port = url.port || (text === given ? '' : '11434')
    const name = url.hostname === '0.0.0.0' ? '127.0.0.1' : url.hostname
    return `${url.protocol}//${name}${port && `:${port}`}`
  },

  async look(ask) {
    const [list, running] = await Promise.all([ask('/api/tags'), ask('/api/ps')])
    if (!Array.isArray(list?.['models'])) return undefined
    const loaded = new Map(
      objectsIn(running?.['models']).map((model) => [model['name'], model['context_length']]),
    )
    const names = objectsIn(list['models']).flatMap(({ name }) => modelName(name) ?? [])
    const details = await Promise.all(
      names.slice(0, MAX).map((name) => ask('/api/show', { model: name })),
    )
    return names.flatMap((name, index) => {
      const shown = details[index]
      const abilities = shown?.['capabilities']
      // Some only make numbers of texts.
      if (Array.isArray(abilities) && !abilities.includes('completion')) return []
      const template = templateText(shown?.['template'])
      return known<FoundModel>({
        name,
        contextTokens: tokenCount(loaded.get(name)) ?? contextIn(shown?.['parameters']),
        trainedTokens: trainedIn(shown?.['model_info']),
        chatTemplate: template,
        templateLanguage: template === undefined ? undefined : 'go',
        tools: Array.isArray(abilities) ? abilities.includes('tools') : undefined,
        loaded: loaded.has(name) || undefined,
      })
    })
  },
}

/** Whoever has more models is not asked about each. */
const MAX = 40

/** Parameters are lines such as `num_ctx   8192`. */
function contextIn(parameters: unknown): number | undefined {
  if (typeof parameters !== 'string') return undefined
  const [, digits] = /^num_ctx[ \t]{1,99}(\d{1,9})/m.exec(parameters) ?? []
  return tokenCount(Number(digits))
}

/** Under the name of its architecture, such as `qwen3.context_length`. */
function trainedIn(info: unknown): number | undefined {
  if (typeof info !== 'object' || info === null) return undefined
  const [, tokens] = Object.entries(info).find(([key]) => key.endsWith('.context_length')) ?? []
  return tokenCount(tokens)
}
