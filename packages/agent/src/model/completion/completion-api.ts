import type { Finish } from '@toolglot/core'
import type { FetchJson } from '../find/json-client.ts'
import type { ModelRequest } from '../model.ts'
import { type Usage, readUsage } from '../usage.ts'
import { llamaCpp } from '../find/servers/llama-cpp.ts'
import { asObject } from '../as-object.ts'
import { vllm } from '../find/servers/vllm.ts'

/** An API for raw completion. */
export interface CompletionApi {
  /** The name of the server, for people. */
  readonly name: string
  /** The path to which a prompt is posted. */
  readonly path: string
  /** The body of a request. */
  bodyOf(input: CompletionInput): Readonly<Record<string, unknown>>
  /** Reads an event, or a line, or a whole response. */
  read(event: Readonly<Record<string, unknown>>, stop: readonly string[]): CompletionEvent
  /** Counts the tokens in text. Resolves to undefined if the server cannot count. */
  countTokens?(fetchJson: FetchJson, model: string, text: string): Promise<number | undefined>
}

/** The input of a completion. */
interface CompletionInput {
  readonly prompt: string
  /** The model's name on the server. */
  readonly model: string
  readonly stop: readonly string[]
  /** The maximum number of tokens in a reply, unless the request sets one. */
  readonly room: number
  /** Marks that may be special tokens, which servers omit by default. */
  readonly marks: readonly string[]
  readonly request: ModelRequest
}

/** A chunk of a reply. */
interface CompletionEvent {
  readonly text?: string
  readonly finish?: Finish | undefined
  /** The stop string at which the server stopped, if reported. */
  readonly stoppedAt?: string | undefined
  readonly usage?: Usage | undefined
}

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
      temperature,
      top_p: topP,
      seed,
      grammar: grammar?.text,
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
    return { text, usage, finish: llamaCppFinish(event, word, stop), stoppedAt: word }
  },

  countTokens: (...all) => llamaCpp.countTokens!(...all),
}

function llamaCppFinish(
  event: Readonly<Record<string, unknown>>,
  word: string | undefined,
  stop: readonly string[],
): 'stop' | 'stop-string' | 'length' {
  if (event['stop_type'] === 'limit' || event['stopped_limit'] === true) return 'length'
  return word !== undefined && !stop.includes(word) ? 'stop-string' : 'stop'
}

/** Older servers report the stop string in other fields. */
function stoppingWord(event: Readonly<Record<string, unknown>>): string | undefined {
  const word = event['stopping_word']
  const isWord = event['stop_type'] === 'word' || event['stopped_word'] === true
  return isWord && typeof word === 'string' ? word : undefined
}

/** Ollama's `/api/generate`. With `raw`, it applies no template. */
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
        num_predict: maxTokens,
        temperature,
        top_p: topP,
        seed,
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

/** `/v1/completions`, as implemented by servers such as vLLM, LM Studio and SGLang. */
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
      // The API's default is only 16.
      max_tokens: maxTokens ?? room,
      // Marks of calls are special tokens, which vLLM and SGLang would omit.
      skip_special_tokens: false,
      ...(stop.length > 0 && { stop }),
      temperature,
      top_p: topP,
      seed,
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
      usage,
      finish: openAiFinish(reason),
      ...(typeof word === 'string' && { stoppedAt: word }),
    }
  },

  countTokens: (...all) => vllm.countTokens!(...all),
}

function openAiFinish(reason: unknown): CompletionEvent['finish'] {
  if (reason === 'length') return 'length'
  return typeof reason === 'string' ? 'stop' : undefined
}
