import { checkRequest } from '../check-request.ts'
import { type ConnectionOptions, modelServer } from '../http/model-server.ts'
import { parseEndpoint } from '../http/endpoint.ts'
import { readErrorBody } from '../http/error-body.ts'
import { errorTextOf } from '../http/error-text.ts'
import { createEventReader } from '../http/event-reader.ts'
import { GarbledReply, HtmlReply } from '../http/garbled-reply.ts'
import { readText } from '../http/read-text.ts'
import { statusError } from '../http/status-error.ts'
import type { Model, ModelChunk, ModelFacts, ModelRequest } from '../model.ts'
import { ModelError } from '../model-error.ts'
import type { TimedReply } from '../timed-reply.ts'
import { type TimeLimit, timeLimit } from '../../time/time-limit.ts'
import { unlessAborted } from '../../time/unless-aborted.ts'
import { DeltaFrame } from './delta-frame.ts'
import { joinDeltas } from './join-deltas.ts'
import { listModels } from './list-models.ts'
import { createReplyReader } from './reply-reader.ts'
import {
  checkBody,
  type Extensions,
  quirksAfter,
  type Quirks,
  requestBody,
} from './request-body.ts'

/** How an OpenAI-compatible server is reached, and facts about the model. */
export interface OpenAiOptions
  extends ModelFacts, Pick<Model, 'provider' | 'countTokens'>, ConnectionOptions {
  /** The server's base URL, such as `http://127.0.0.1:11434/v1`. */
  readonly url: string
  /** The model's name on the server. */
  readonly model: string
  /** Additional fields of every request body, such as `{ top_k: 20 }`. Those of a request replace them. */
  readonly body?: Readonly<Record<string, unknown>> | undefined
  /** Whose additional fields the server reads, for `prefill` and `grammars`. Default: llama.cpp's. */
  readonly extensions?: Extensions | undefined
  /** Whether a stream must end with `[DONE]`; false for a server that never sends it. */
  readonly needsDone?: boolean | undefined
}

/** Connects to a model on any server with OpenAI's chat completions API. */
export function openAiCompatible(options: OpenAiOptions): Model {
  const {
    url,
    model,
    key,
    keyName,
    start,
    countTokens,
    extensions = 'llama.cpp',
    headers,
    body: more = {},
    fetch,
    maxBytes: maxSize,
    needsDone = true,
    idleTimeout,
    timeout,
    ...facts
  } = options
  const { provider, native = false, roles = native ? NATIVE_ROLES : TEXT_ROLES } = facts
  checkBody(more)
  const name = provider ?? 'the server'
  const server = modelServer(
    { endpoint: parseEndpoint(url), name, model },
    { key, keyName, start, headers, fetch, maxBytes: maxSize, idleTimeout, timeout },
  )
  const { maxBytes } = server
  let quirks: Quirks = {}

  return {
    ...facts,
    name: model,
    ...(countTokens && { countTokens: (...all) => countTokens(...all) }),
    roles,
    native,

    async *reply(request) {
      checkRequest({ ...facts, name: model }, request)
      yield* server.reply(request, async function* (timed) {
        yield* readReply(await open(request, timed), timed)
      })
    },
  }

  /** Sends the request, leaving out what this server has rejected before. */
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

  async function* readReply(
    response: Response,
    timed: TimedReply,
  ): AsyncGenerator<ModelChunk, void, void> {
    const reader = createReplyReader()
    const frame = new DeltaFrame((json) => createReplyReader().read(parseJson(json), json))
    const events = createEventReader(Math.min(maxBytes, 16 << 20))
    // A connection that the server closes can be reused. The reply does not depend on it.
    let closing: TimeLimit | undefined
    const waitFor = <Piece>(work: Promise<Piece>): Promise<Piece> =>
      closing ? unlessAborted(closing.signal, work) : timed.waitFor(work)
    let kind: 'events' | 'json' | undefined
    let whole = ''
    let tail = ''
    let isEmpty = true
    let isDone = false
    try {
      for await (const text of readText(response.body, { maxBytes, waitFor })) {
        if (isDone) continue
        whole += text
        kind ??= kindOf(whole)
        // Leading whitespace is skipped, however much there is.
        if (!kind) whole = ''
        if (kind !== 'events') continue
        tail = (tail + whole.slice(-20)).slice(-20)
        const datas = events.feed(whole)
        whole = ''
        isEmpty &&= datas.length === 0
        for (const chunk of joinDeltas(readEvents(datas))) yield chunk
        if (isDone) closing = timeLimit(CLOSE_TIMEOUT)
      }
    } catch (error) {
      // Whatever happens after the end does not matter, including a broken connection.
      if (!isDone) throw error
    } finally {
      closing?.end()
    }
    if (kind === 'json') yield* read(whole)
    else if (isEmpty) throw new GarbledReply('the response is empty')
    // The last line may lack its line break, and a response that is not streamed has no [DONE].
    isDone ||= kind === 'json' || /data: ?\[DONE\]\s*$/.test(tail)
    const { usage, ending } = reader
    if (usage) yield { type: 'usage', usage }
    if (ending === 'filtered') {
      throw new ModelError(
        'refused',
        `A content filter of ${name} stopped the reply: rephrase the prompt.`,
      )
    }
    yield { type: 'finish', finish: ending && (isDone || !needsDone) ? ending : 'broken' }

    function* readEvents(datas: readonly string[]): Generator<ModelChunk, void, void> {
      for (const data of datas) {
        isDone = data.trim() === '[DONE]'
        if (isDone) return
        const delta = frame.read(data)
        if (delta) yield delta
        else yield* read(data)
      }
    }

    function read(data: string): readonly ModelChunk[] {
      const value = parseJson(data)
      const error = isError(value) ? readErrorBody(value) : undefined
      if (!error) {
        const chunks = reader.read(value, data)
        frame.learn(data, chunks)
        return chunks
      }
      const { code, message } = error
      const status = typeof code === 'number' && code >= 400 && code < 600 ? code : 500
      throw statusError({ status, message: `${message} ${code ?? ''}` }, server.facts)
    }
  }
}

/** How long the server has to close the connection after its reply, in milliseconds. */
const CLOSE_TIMEOUT = 50

const NATIVE_ROLES = ['system', 'tool'] as const
const TEXT_ROLES = ['system'] as const

/** Detects the kind of a body by its start; undefined as long as there is only whitespace. */
function kindOf(text: string): 'events' | 'json' | undefined {
  const start = text.trimStart()
  if (start === '') return undefined
  if (start.startsWith('{')) return 'json'
  if (/^(:|data|event|id|retry|[a-z]{1,4}$)/.test(start)) return 'events'
  throw start.startsWith('<') ? new HtmlReply(start) : new GarbledReply(`it starts with ${start}`)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    // Not JSON.
    throw new GarbledReply(`expected JSON, got ${text}`)
  }
}

function isError(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { error, choices, object } = value as {
    error?: unknown
    choices?: unknown
    object?: unknown
  }
  return Boolean(error) || object === 'error' || (choices === undefined && 'detail' in value)
}
