import { checkRequest } from '../check-request.ts'
import {
  type ConnectionOptions,
  type ModelServer,
  modelServer,
  splitOptions,
} from '../http/model-server.ts'
import { parseEndpoint } from '../http/endpoint.ts'
import { errorTextOf } from '../http/reply-errors.ts'
import { parseObject } from '../http/json-reader.ts'
import type { Model, ModelChunk, ModelFacts, ModelRequest } from '../model.ts'
import { ModelError } from '../model-error.ts'
import type { TimedReply } from '../timed-reply.ts'
import { DeltaFrame } from './delta-frame.ts'
import { createReplyReader } from './reply-reader.ts'
import {
  checkBody,
  type Extensions,
  quirksAfter,
  type Quirks,
  requestBody,
} from './request-body.ts'
import { timeLimit } from '../../time/time-limit.ts'
import { readWholeText } from '../http/read-text.ts'

/** The connection to an OpenAI-compatible server, and facts about the model. */
export interface OpenAiOptions
  extends ModelFacts, Pick<Model, 'provider' | 'countTokens'>, ConnectionOptions {
  /** The server's base URL, such as `http://127.0.0.1:11434/v1`. */
  readonly url: string
  /** The model's name on the server. */
  readonly model: string
  /** Additional fields of every request body, such as `{ top_k: 20 }`. Those of a request replace them. */
  readonly body?: Readonly<Record<string, unknown>> | undefined
  /** The server's dialect for `prefill` and `grammars`. Default: llama.cpp's. */
  readonly extensions?: Extensions | undefined
  /** The stream must end with `[DONE]`. Set to false for a server that never sends it. */
  readonly needsDone?: boolean | undefined
}

/** Connects to a model on any server with OpenAI's chat completions API. */
export function openAiCompatible(options: OpenAiOptions): Model {
  const { connection, others } = splitOptions(options)
  const { url, model, countTokens, body: more = {}, ...rest } = others
  const { extensions = 'llama.cpp', needsDone = true, ...facts } = rest
  const { provider, native = false, roles = native ? NATIVE_ROLES : TEXT_ROLES } = facts
  checkBody(more)
  const name = provider ?? 'the server'
  const server = modelServer({ endpoint: parseEndpoint(url), name, model }, connection)
  let quirks: Quirks = {}

  return {
    ...facts,
    name: model,
    countTokens: countTokens && ((...all) => countTokens(...all)),
    roles,
    native,

    reply: (request) => server.reply(request, (timed) => reply(request, timed)),
  }

  async function* reply(
    request: ModelRequest,
    timed: TimedReply,
  ): AsyncGenerator<ModelChunk, void, void> {
    checkRequest({ ...facts, name: model }, request)
    const response = await open(request, timed)
    const body = server.read(response, timed, 'whole')
    const reader = createReplyReader()
    const frame = new DeltaFrame((json) => createReplyReader().read(parseObject(json), json))
    for await (const texts of body.batches()) {
      for (const chunk of joinDeltas(chunksOf(texts))) yield chunk
    }
    const { usage, ending } = reader
    if (usage) yield { type: 'usage', usage }
    if (ending === 'filtered') {
      throw new ModelError(
        'refused',
        `A content filter of ${name} stopped the reply: rephrase the prompt.`,
      )
    }
    yield { type: 'finish', finish: ending && (body.isDone || !needsDone) ? ending : 'broken' }

    function* chunksOf(texts: readonly string[]): Generator<ModelChunk, void, void> {
      for (const json of texts) {
        const delta = frame.read(json)
        if (delta) yield delta
        else {
          const chunks = reader.read(parseObject(json), json)
          frame.learn(json, chunks)
          yield* chunks
        }
      }
    }
  }

  /** Sends the request without the fields that this server has rejected before. */
  async function open(request: ModelRequest, { signal }: TimedReply): Promise<Response> {
    for (;;) {
      const response = await server.send('chat/completions', {
        method: 'POST',
        body: requestBody(request, { model, quirks, more, extensions }),
        signal,
      })
      if (response.ok) return response
      const { status } = response
      const message = await errorTextOf(response)
      const newQuirks = status === 400 || status === 422 ? quirksAfter(message, quirks) : undefined
      if (!newQuirks) {
        const models = status === 404 ? await listModels(server, signal) : undefined
        throw server.failure(response, message, models)
      }
      quirks = newQuirks
    }
  }
}

const NATIVE_ROLES = ['system', 'tool'] as const
const TEXT_ROLES = ['system'] as const

/**
 * Joins consecutive deltas of text and of reasoning. Deltas before an error are yielded before it
 * is thrown. Joining copies the text: a slice of an event would keep the whole event in memory.
 */
export function* joinDeltas(chunks: Iterable<ModelChunk>): Generator<ModelChunk, void, void> {
  let type: 'text' | 'reasoning' = 'text'
  let deltas: string[] = []
  function* joined(): Generator<ModelChunk, void, void> {
    const delta = deltas.join('')
    deltas = []
    if (delta !== '') yield { type, delta }
  }
  try {
    for (const chunk of chunks) {
      if (chunk.type !== type) yield* joined()
      if (chunk.type === 'text' || chunk.type === 'reasoning') {
        type = chunk.type
        deltas.push(chunk.delta)
      } else yield chunk
    }
  } catch (error) {
    yield* joined()
    throw error
  }
  yield* joined()
}

/** The names of the models on a server, or undefined if it does not list them. */
async function listModels(
  server: Pick<ModelServer, 'send'>,
  signal: AbortSignal,
): Promise<string[] | undefined> {
  const limit = timeLimit(2000, signal)
  try {
    const response = await server.send('models', { signal: limit.signal })
    if (!response.ok) return undefined
    return namesIn(JSON.parse(await readWholeText(response, 4 << 20)))
  } catch {
    // There is no list, or it is invalid. It is only used in an error message.
    return undefined
  } finally {
    limit.end()
  }
}

/** The names in `{data: [{id}]}`, or undefined for any other value. */
export function namesIn(value: unknown): string[] | undefined {
  const { data } = (value ?? {}) as { data?: unknown }
  if (!Array.isArray(data)) return undefined
  return data
    .map((each) => (each as { id?: unknown } | null)?.id)
    .filter((id) => typeof id === 'string')
}
