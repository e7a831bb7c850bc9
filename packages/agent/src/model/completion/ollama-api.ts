import { readUsage } from '../usage.ts'
import type { CompletionApi } from './completion-api.ts'

/** Ollama's `/api/generate`, which uses no template of its own if `raw` is set. */
export const ollamaApi: CompletionApi = {
  name: 'Ollama',
  path: 'api/generate',

  bodyOf({ prompt, model, stop, request }) {
    const { maxTokens, temperature, topP, seed, responseFormat } = request
    const isJson = responseFormat?.type === 'json'
    return {
      model,
      prompt,
      raw: true,
      stream: true,
      ...(isJson && { format: responseFormat.schema ?? 'json' }),
      options: {
        ...(stop.length > 0 && { stop }),
        ...(maxTokens !== undefined && { num_predict: maxTokens }),
        ...(temperature !== undefined && { temperature }),
        ...(topP !== undefined && { top_p: topP }),
        ...(seed !== undefined && { seed }),
      },
    }
  },

  read(event) {
    const { response, done, done_reason: reason } = event
    const text = typeof response === 'string' ? response : ''
    if (done !== true) return { text }
    const usage = readUsage({
      prompt_tokens: event['prompt_eval_count'],
      completion_tokens: event['eval_count'],
    })
    return { text, usage, finish: reason === 'length' ? 'length' : 'stop' }
  },
}
