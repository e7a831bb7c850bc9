import type { Finish } from '@toolglot/core'
import { checkRequest } from '../check-request.ts'
import { estimateTokens } from '../estimate-tokens.ts'
import { errorTextOf, GarbledReply } from '../http/reply-errors.ts'
import { type ConnectionOptions, modelServer, splitOptions } from '../http/model-server.ts'
import { rootEndpoint } from '../http/endpoint.ts'
import type { Model, ModelChunk, ModelFacts, ModelRequest } from '../model.ts'
import { checkBody } from '../open-ai/request-body.ts'
import type { TimedReply } from '../timed-reply.ts'
import { estimateMessageTokens } from '../token-counter.ts'
import { chatBody, type OllamaSettings } from './chat-body.ts'
import { asObject } from '../as-object.ts'
import { readUsage, type Usage } from '../usage.ts'

/** The connection to an Ollama server, and settings of the model. */
export interface OllamaOptions
  extends Omit<ModelFacts, 'grammars'>, Pick<Model, 'provider'>, ConnectionOptions {
  /** The server's address, such as `http://127.0.0.1:11434`. */
  readonly url: string
  /** The model's name on the server. */
  readonly model: string
  /**
   * Turns thinking before the answer on or off, or sets its amount. Default: the model's default.
   */
  readonly thinking?: OllamaSettings['think'] | undefined
  /**
   * The time to keep the model in memory after a reply, such as `10m`, or `-1` for unlimited.
   * Default: Ollama's setting, usually 5 minutes.
   */
  readonly keepAlive?: string | undefined
  /** Additional fields of every request body, such as `{ options: { top_k: 20 } }`. Those of a request replace them. */
  readonly body?: Readonly<Record<string, unknown>> | undefined
}

/**
 * Connects to a model through Ollama's own API. Unlike its OpenAI-compatible API, this API sets the
 * context size with each request: the model is loaded with `contextTokens`, so the size is known.
 * Otherwise, the beginning of long prompts would be dropped silently.
 */
export function ollamaModel(options: OllamaOptions): Model {
  const { connection, others } = splitOptions(options)
  const { url, model, thinking, keepAlive, body: more = {}, ...facts } = others
  const { provider = 'Ollama', native = false, prefill = true, contextTokens } = facts
  const { roles = native ? NATIVE_ROLES : TEXT_ROLES } = facts
  checkBody(more)
  const server = modelServer({ endpoint: rootEndpoint(url), name: provider, model }, connection)
  // False for models without reasoning, which reject this field.
  let takesThinking = true

  return {
    ...facts,
    name: model,
    provider,
    roles,
    native,
    prefill,

    reply: (request) => server.reply(request, (timed) => reply(request, timed)),
  }

  async function* reply(
    request: ModelRequest,
    timed: TimedReply,
  ): AsyncGenerator<ModelChunk, void, void> {
    checkRequest({ ...facts, name: model, prefill }, request)
    const response = await open(request, timed)
    const reader = new ChatReader()
    for await (const line of server.read(response, timed).objects()) {
      yield* reader.read(line)
      if (reader.isDone) break
    }
    yield* reader.end()
  }

  async function open(request: ModelRequest, { signal }: TimedReply): Promise<Response> {
    for (;;) {
      const think = takesThinking ? thinking : undefined
      const body = chatBody(request, {
        model,
        numCtx: contextTokens,
        room: roomAfter(request),
        think,
        keepAlive,
        more,
      })
      const response = await server.send('api/chat', {
        method: 'POST',
        body: JSON.stringify(body),
        signal,
      })
      if (response.ok) return response
      const message = await errorTextOf(response)
      if (think === undefined || !/does not support thinking/.test(message))
        throw server.failure(response, message)
      takesThinking = false
    }
  }

  /**
   * The number of tokens available for a reply. A longer reply would make Ollama drop the beginning
   * of the conversation.
   */
  function roomAfter({ messages, tools = [], prefill = '' }: ModelRequest): number | undefined {
    if (contextTokens === undefined) return undefined
    const described = tools.length > 0 ? JSON.stringify(tools) : ''
    const used = estimateMessageTokens(messages) + estimateTokens(described + prefill)
    return Math.max(MIN_ROOM, contextTokens - used)
  }
}

/** Estimates are inexact, so a short answer is always allowed. */
const MIN_ROOM = 256

const NATIVE_ROLES = ['system', 'tool'] as const
const TEXT_ROLES = ['system'] as const

/** Reads the lines of a reply from `/api/chat`. */
class ChatReader {
  /** True once the last line has been read. */
  isDone = false
  #calls = 0
  #usage: Usage | undefined
  #finish: Finish = 'broken'

  read(line: Readonly<Record<string, unknown>>): readonly ModelChunk[] {
    const message = asObject(line['message'])
    if (!message && line['done'] !== true)
      throw new GarbledReply(`it contains no message: ${JSON.stringify(line)}`)
    const { content, thinking, tool_calls: calls } = message ?? {}
    const chunks: ModelChunk[] = [
      ...texts('reasoning', thinking),
      ...texts('text', content),
      ...(Array.isArray(calls) ? calls.map((call: unknown) => this.#callOf(call)) : []),
    ]
    if (line['done'] === true) {
      this.isDone = true
      this.#finish = line['done_reason'] === 'length' ? 'length' : 'stop'
      this.#usage = readUsage({
        prompt_tokens: line['prompt_eval_count'],
        completion_tokens: line['eval_count'],
        prompt_tokens_details: { cached_tokens: line['prompt_eval_cached_count'] },
      })
    }
    return chunks
  }

  /** Returns the chunks after the last line. */
  end(): readonly ModelChunk[] {
    return [
      ...(this.#usage ? [{ type: 'usage', usage: this.#usage } as const] : []),
      { type: 'finish', finish: this.#finish },
    ]
  }

  /** Native calls arrive complete. */
  #callOf(value: unknown): ModelChunk {
    const { name, arguments: args } = asObject(asObject(value)?.['function']) ?? {}
    if (typeof name !== 'string') throw new GarbledReply('a call has no name')
    const index = this.#calls++
    return { type: 'call', index, id: `call_${index}`, name, delta: JSON.stringify(args ?? {}) }
  }
}

function texts(type: 'text' | 'reasoning', value: unknown): ModelChunk[] {
  return typeof value === 'string' && value !== '' ? [{ type, delta: value }] : []
}
