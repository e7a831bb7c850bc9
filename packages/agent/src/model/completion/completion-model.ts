import { checkRequest } from '../check-request.ts'
import { estimateTokens } from '../estimate-tokens.ts'
import { countTokens, type FetchJson, withKey } from '../find/json-client.ts'
import { errorTextOf } from '../http/reply-errors.ts'
import { type ConnectionOptions, modelServer } from '../http/model-server.ts'
import { rootEndpoint } from '../http/endpoint.ts'
import type { Model, ModelChunk, ModelFacts, ModelRequest } from '../model.ts'
import { ModelError } from '../model-error.ts'
import type { TimedReply } from '../timed-reply.ts'
import {
  createPromptRenderer,
  type PromptRendererOptions,
  isUnmistakable,
  specialMarks,
} from '../template/prompt-renderer.ts'
import { type CompletionApi, llamaCppApi, ollamaApi, openAiApi } from './completion-api.ts'
import { EndRemover } from './end-remover.ts'

/**
 * The API for raw completion: llama.cpp's own, Ollama's, or OpenAI's (used by vLLM and LM Studio).
 */
export type CompletionStyle = 'llama.cpp' | 'ollama' | 'openai'

/** The connection to a raw completion server and facts about its model. */
export interface CompletionOptions
  extends
    PromptRendererOptions,
    Pick<ModelFacts, 'contextTokens' | 'price'>,
    Pick<Model, 'provider'>,
    Omit<ConnectionOptions, 'keyName' | 'start' | 'headers'> {
  /** The server's address, such as `http://127.0.0.1:8080`. */
  readonly url: string
  /** The model's name on the server. */
  readonly model: string
  readonly style: CompletionStyle
  /** The model's chat template, in Jinja. */
  readonly chatTemplate: string
  /**
   * The server adds the model's first token to every prompt, so the template must not. Default:
   * true.
   */
  readonly addsBos?: boolean | undefined
  /** Additional fields of every request body, such as `{ top_k: 20 }`. Those of a request replace them. */
  readonly body?: Readonly<Record<string, unknown>> | undefined
}

/**
 * Connects to a model through raw completion: prompts are rendered locally with the model's own
 * chat template.
 */
export function completionModel(options: CompletionOptions): Model {
  const { url, model, style, key, contextTokens, price, chatTemplate, eosToken } = options
  const { body: more = {}, bosToken = '', addsBos = true } = options
  const { fetch = globalThis.fetch, idleTimeout, timeout } = options
  const api = APIS[style]
  const name = options.provider ?? api.name
  const endpoint = rootEndpoint(url)
  const server = modelServer(
    { endpoint, name, model },
    { key, keyName: 'TOOLGLOT_API_KEY', fetch, idleTimeout, timeout, maxBytes: options.maxBytes },
  )
  const renderer = createPromptRenderer(options)
  const eos = eosToken ? [eosToken] : []
  const marks = specialMarks(chatTemplate, eos)
  // False for servers that reject this field.
  let keepsSpecial = true

  const facts: Omit<Model, 'reply'> = {
    ...renderer.facts,
    name: model,
    provider: name,
    contextTokens,
    price,
    grammars: style === 'llama.cpp' ? ['gbnf'] : undefined,
    countTokens: api.countTokens && tokensIn,
  }

  return {
    ...facts,

    reply: (request) => server.reply(request, (timed) => reply(request, timed)),
  }

  async function* reply(
    request: ModelRequest,
    timed: TimedReply,
  ): AsyncGenerator<ModelChunk, void, void> {
    checkRequest({ ...facts, prefill: true }, request)
    const { prompt, stop, opened } = renderer.render(request)
    const isDoubled = addsBos && bosToken !== '' && prompt.startsWith(bosToken)
    const given = isDoubled ? prompt.slice(bosToken.length) : prompt
    const response = await open(given, stop, request, timed)
    if (opened !== '') yield { type: 'text', delta: opened }
    const ends = new EndRemover([...stop, ...eos.filter(isUnmistakable)], eos)
    let usage
    let finish
    let stoppedAt
    for await (const event of server.read(response, timed).objects()) {
      const piece = api.read(event, stop)
      const delta = ends.add(piece.text ?? '')
      if (delta !== '') yield { type: 'text', delta }
      usage = piece.usage ?? usage
      finish = piece.finish ?? finish
      stoppedAt = piece.stoppedAt ?? stoppedAt
      // llama.cpp and Ollama send nothing more after this.
      if (finish && style !== 'openai') break
    }
    const rest = ends.finish(stoppedAt)
    if (rest !== '') yield { type: 'text', delta: rest }
    if (usage) yield { type: 'usage', usage }
    yield { type: 'finish', finish: finish ?? 'broken' }
  }

  async function open(
    prompt: string,
    ends: readonly string[],
    request: ModelRequest,
    { signal }: TimedReply,
  ): Promise<Response> {
    const room = Math.max(256, Math.min(MAX_ROOM, roomAfter(prompt)))
    const stop = [...new Set([...ends, ...(request.stop ?? [])])]
    for (;;) {
      const { skip_special_tokens: keeps, ...fields } = api.bodyOf({
        prompt,
        model,
        stop,
        room,
        marks,
        request,
      })
      const special = keepsSpecial && keeps !== undefined
      const body = {
        ...fields,
        ...(special && { skip_special_tokens: keeps }),
        ...more,
        ...request.body,
        prompt,
      }
      const response = await server.send(api.path, {
        method: 'POST',
        body: JSON.stringify(body),
        signal,
      })
      if (response.ok) return response
      const { status } = response
      const message = await errorTextOf(response)
      if (
        special &&
        (status === 400 || status === 422) &&
        message.includes('skip_special_tokens')
      ) {
        keepsSpecial = false
        continue
      }
      throw failed(response, message)
    }
  }

  function failed(response: Response, message: string): ModelError {
    const { status } = response
    if (status === 404 || status === 405) {
      const problem = `${name} (${endpoint.display}) has no raw completion at /${api.path}: it responded with ${status}. Check the URL, or use the server's chat endpoint: ${endpoint.display}/v1#MODEL.`
      return new ModelError('refused', problem, { status })
    }
    return server.failure(response, message)
  }

  /** The number of tokens available after a prompt, minus a reserve. */
  function roomAfter(prompt: string): number {
    if (contextTokens === undefined) return MAX_ROOM / 2
    return Math.floor(contextTokens * 0.95) - Math.ceil(estimateTokens(prompt) * 1.1)
  }

  function tokensIn(text: string, signal: AbortSignal): Promise<number> {
    const count = (fetchJson: FetchJson) => api.countTokens?.(fetchJson, model, text)
    return countTokens({ name, url: endpoint.display, fetch: withKey(fetch, key), count }, signal)
  }
}

const APIS: Readonly<Record<CompletionStyle, CompletionApi>> = {
  'llama.cpp': llamaCppApi,
  ollama: ollamaApi,
  openai: openAiApi,
}

/** The maximum number of tokens in a reply if neither the request nor the server sets one. */
const MAX_ROOM = 16_384
