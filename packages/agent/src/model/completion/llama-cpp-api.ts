import { llamaCpp } from '../find/servers/llama-cpp.ts'
import { readUsage } from '../usage.ts'
import type { CompletionApi } from './completion-api.ts'

/** llama.cpp's own `/completion`. */
export const llamaCppApi: CompletionApi = {
  name: 'llama.cpp',
  path: 'completion',

  bodyOf({ prompt, stop, marks, request }) {
    const { maxTokens, temperature, topP, seed, grammar, responseFormat } = request
    const isJson = responseFormat?.type === 'json'
    return {
      prompt,
      stream: true,
      cache_prompt: true,
      n_predict: maxTokens ?? -1,
      ...(stop.length > 0 && { stop }),
      ...(marks.length > 0 && { preserved_tokens: marks }),
      ...(temperature !== undefined && { temperature }),
      ...(topP !== undefined && { top_p: topP }),
      ...(seed !== undefined && { seed }),
      ...(grammar && { grammar: grammar.text }),
      ...(isJson && { json_schema: responseFormat.schema ?? {} }),
    }
  },

  read(event, stop) {
    const { content, stop: isLast } = event
    const text = typeof content === 'string' ? content : ''
    if (isLast !== true) return { text }
    const usage = readUsage({
      prompt_tokens: event['tokens_evaluated'],
      completion_tokens: event['tokens_predicted'],
    })
    const word = stoppingWord(event)
    return { text, usage, finish: finishOf(event, word, stop), stoppedAt: word }
  },

  countTokens: (...all) => llamaCpp.countTokens!(...all),
}

function finishOf(
  event: Readonly<Record<string, unknown>>,
  word: string | undefined,
  stop: readonly string[],
): 'stop' | 'stop-string' | 'length' {
  if (event['stop_type'] === 'limit' || event['stopped_limit'] === true) return 'length'
  return word !== undefined && !stop.includes(word) ? 'stop-string' : 'stop'
}

/** Older servers say in fields of their own that they stopped at a word. */
function stoppingWord(event: Readonly<Record<string, unknown>>): string | undefined {
  const word = event['stopping_word']
  const isWord = event['stop_type'] === 'word' || event['stopped_word'] === true
  return isWord && typeof word === 'string' ? word : undefined
}
