import { defaultLimits } from '../../limits.ts'
import { checkRequest } from '../check-request.ts'
import type { Model, ModelChunk, ModelFacts, ModelRequest } from '../model.ts'
import { ModelError } from '../model-error.ts'
import { readErrorBody } from './error-body.ts'
import { DeltaFrame } from './delta-frame.ts'
import { parseEndpoint } from './endpoint.ts'
import { errorTextOf } from './error-text.ts'
import { createEventReader } from './event-reader.ts'
import { explainReplyError } from './reply-error.ts'
import { joinDeltas } from './join-deltas.ts'
import { listModels } from './list-models.ts'
import { GarbledReply } from './garbled-reply.ts'
import { createReplyReader } from './reply-reader.ts'
import {
  checkBody,
  type Extensions,
  quirksAfter,
  type Quirks,
  requestBody,
} from './request-body.ts'
import type { ServerFacts } from './server-facts.ts'
import { statusError } from './status-error.ts'
import { unreachableError } from './unreachable.ts'
import { type ReplyDeadline, startReplyDeadline } from '../reply-deadline.ts'
import { readText } from '../read-text.ts'
import { readRetryAfter } from '../retry-after.ts'
import { type TimeLimit, timeLimit } from '../../time/time-limit.ts'
import { unlessAborted } from '../../time/unless-aborted.ts'

/** How an OpenAI-compatible server is reached, and facts about the model. */
export interface OpenAiOptions extends ModelFacts, Pick<Model, 'provider' | 'countTokens'> {
  /** The server's base URL, such as `http://127.0.0.1:11434/v1`. */
  readonly url: string
  /** The model's name on the server. */
  readonly model: string
  /** The API key. */
  readonly key?: string | undefined
  /** The environment variable that the key came from, for error messages. */
  readonly keyName?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** Additional fields of every request body, such as `{ top_k: 20 }`. Those of a request replace them. */
  readonly body?: Readonly<Record<string, unknown>>
  /** Whose additional fields the server reads, for `prefill` and `grammars`. Default: llama.cpp's. */
  readonly extensions?: Extensions
  /** The command that starts the server, for error messages. */
  readonly start?: string | undefined
  readonly fetch?: typeof fetch
  /** How long the server may send nothing, in milliseconds. */
  readonly idleTimeout?: number
  /** How long the whole reply may take, in milliseconds. */
  readonly timeout?: number
  /** The maximum size of a response, in bytes. */
  readonly maxBytes?: number
  /** Whether a stream must end with `[DONE]`; false for a server that never sends it. */
  readonly needsDone?: boolean
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
    headers = {},
    body: more = {},
    fetch = globalThis.fetch,
    maxBytes = 64 << 20,
    needsDone = true,
    idleTimeout = defaultLimits.idleTimeout,
    timeout = defaultLimits.modelTimeout,
    ...facts
  } = options
  const { provider, native = false, roles = native ? NATIVE_ROLES : TEXT_ROLES } = facts
  checkBody(more)
  const endpoint = parseEndpoint(url)
  const requestHeaders = headersOf(key, headers)
  const name = provider ?? 'the server'
  const secrets = [key?.trim() ?? '', ...Object.values(headers)].filter((text) => text !== '')
  const server: ServerFacts = { endpoint, name, model, keyName, start, secrets }
  let quirks: Quirks = {}

  return {
    ...facts,
    name: model,
    ...(countTokens && { countTokens: (...all) => countTokens(...all) }),
    roles,
    native,

    async *reply(request) {
      checkRequest({ ...facts, name: model }, request)
      const deadline = startReplyDeadline(request, { idleTimeout, timeout, name })
      try {
        const response = await open(request, deadline)
        yield* readReply(response, deadline)
      } catch (error) {
        // A failure caused by aborting is reported as the reason for aborting.
        deadline.throwIfAborted()
        throw explainReplyError(error, server, maxBytes)
      } finally {
        deadline.clear()
      }
    },
  }

  /** Sends the request, leaving out what this server has rejected before. */
  async function open(request: ModelRequest, { signal }: ReplyDeadline): Promise<Response> {
    for (;;) {
      const response = await send('chat/completions', {
        method: 'POST',
        body: requestBody(request, { model, quirks, more, extensions }),
        signal,
      })
      if (response.ok) return response
      const { status } = response
      const message = await errorTextOf(response)
      const newQuirks = status === 400 || status === 422 ? quirksAfter(message, quirks) : undefined
      if (newQuirks) {
        quirks = newQuirks
        continue
      }
      const retryAfter = readRetryAfter(response.headers)
      const location = response.headers.get('location') ?? undefined
      const models = status === 404 ? await listModels(send, signal) : undefined
      throw statusError({ status, message, retryAfter, location, models }, server)
    }
  }

  async function send(path: string, init: RequestInit): Promise<Response> {
    try {
      // Redirects are not followed: the key is meant for this server only.
      return await fetch(endpoint.urlOf(path), {
        ...init,
        headers: requestHeaders,
        redirect: 'manual',
      })
    } catch (error) {
      // No connection, or the request was aborted.
      throw unreachableError(error, server)
    }
  }

  async function* readReply(
    response: Response,
    deadline: ReplyDeadline,
  ): AsyncGenerator<ModelChunk, void, void> {
    const reader = createReplyReader()
    const frame = new DeltaFrame((json) => createReplyReader().read(parseJson(json), json))
    const events = createEventReader(Math.min(maxBytes, 16 << 20))
    // A connection that the server closes can be reused. The reply does not depend on it.
    let closing: TimeLimit | undefined
    const waitFor = <Piece>(work: Promise<Piece>): Promise<Piece> =>
      closing ? unlessAborted(closing.signal, work) : deadline.waitFor(work)
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
      throw statusError({ status, message: `${message} ${code ?? ''}` }, server)
    }
  }
}

/** How long the server has to close the connection after its reply, in milliseconds. */
const CLOSE_TIMEOUT = 50

const NATIVE_ROLES = ['system', 'tool'] as const
const TEXT_ROLES = ['system'] as const

function headersOf(key: string | undefined, more: Readonly<Record<string, string>>): Headers {
  const bearer = key?.trim()
  try {
    return new Headers({
      'content-type': 'application/json',
      accept: 'text/event-stream, application/json',
      ...(bearer && { authorization: `Bearer ${bearer}` }),
      ...more,
    })
  } catch {
    // The original error would contain the value.
    throw new TypeError(
      'expected a key and headers with characters that are valid in a header: copy the key again',
    )
  }
}

/** Detects the kind of a body by its start; undefined as long as there is only whitespace. */
function kindOf(text: string): 'events' | 'json' | undefined {
  const start = text.trimStart()
  if (start === '') return undefined
  if (start.startsWith('{')) return 'json'
  if (/^(:|data|event|id|retry|[a-z]{1,4}$)/.test(start)) return 'events'
  const what = start.startsWith('<') ? 'it is HTML (check the URL):' : 'it starts with'
  throw new GarbledReply(`${what} ${start}`)
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
