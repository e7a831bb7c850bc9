import { asObject } from '../as-object.ts'
import { vllm } from '../find/servers/vllm.ts'
import { readUsage } from '../usage.ts'
import type { CompletionApi, CompletionEvent } from './completion-api.ts'

/** `/v1/completions`, which vLLM, LM Studio, SGLang and others have. */
export const openAiApi: CompletionApi = {
  name: 'the server',
  path: 'v1/completions',

  bodyOf({ prompt, model, stop, room, request }) {
    const { maxTokens, temperature, topP, seed, responseFormat } = request
    const isJson = responseFormat?.type === 'json'
    return {
      model,
      prompt,
      stream: true,
      stream_options: { include_usage: true },
      // The default of this API is 16.
      max_tokens: maxTokens ?? room,
      // Calls are marked with special tokens, which vLLM and SGLang leave out otherwise.
      skip_special_tokens: false,
      ...(stop.length > 0 && { stop }),
      ...(temperature !== undefined && { temperature }),
      ...(topP !== undefined && { top_p: topP }),
      ...(seed !== undefined && { seed }),
      ...(isJson && {
        response_format: responseFormat.schema
          ? { type: 'json_schema', json_schema: { name: 'reply', schema: responseFormat.schema } }
          : { type: 'json_object' },
      }),
    }
  },

  read(event) {
    const [choice] = Array.isArray(event['choices']) ? (event['choices'] as unknown[]) : []
    const { text, finish_reason: reason, stop_reason: word } = asObject(choice) ?? {}
    const usage = readUsage(event['usage'])
    return {
      ...(typeof text === 'string' && { text }),
      ...(usage && { usage }),
      finish: finishOf(reason),
      ...(typeof word === 'string' && { stoppedAt: word }),
    }
  },

  countTokens: (...all) => vllm.countTokens!(...all),
}

function finishOf(reason: unknown): CompletionEvent['finish'] {
  if (reason === 'length') return 'length'
  return typeof reason === 'string' ? 'stop' : undefined
}
