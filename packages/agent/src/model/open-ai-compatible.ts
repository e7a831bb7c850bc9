import { defaultLimits } from '../limits.ts'
import type { Model, ModelChunk, ModelRequest } from './model.ts'
import { ModelError } from './model-error.ts'
import { complaintOf } from './open-ai/complaint.ts'
import { endpointOf } from './open-ai/endpoint.ts'
import { createEvents } from './open-ai/events.ts'
import { listModels } from './open-ai/list-models.ts'
import { Garbled, garbled } from './open-ai/garbled.ts'
import { createReading } from './open-ai/read-reply.ts'
import { quirkIn, type Quirks, requestBody } from './open-ai/request-body.ts'
import { quoteServer, type ServerFacts } from './open-ai/server.ts'
import { statusError } from './open-ai/status-error.ts'
import { codeOf, unreachable } from './open-ai/unreachable.ts'
import { type ReplyDeadline, startReplyDeadline } from './reply-deadline.ts'
import { BodyError, readAll, readText } from './read-text.ts'
import { retryAfterOf } from './retry-after.ts'

export interface OpenAiOptions extends Pick<
  Model,
  'provider' | 'chatTemplate' | 'contextTokens' | 'roles' | 'native' | 'price' | 'countTokens'
> {
  /** Where the server is, such as `http://127.0.0.1:11434/v1`. */
  readonly url: string
  /** The name the server knows the model by. */
  readonly model: string
  readonly key?: string | undefined
  /** The variable that the key was taken from: who is told that it is wrong is told where it is. */
  readonly keyName?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** More of the request's body, such as `{ seed: 1 }`. */
  readonly body?: Readonly<Record<string, unknown>>
  /** The command that starts the server, for who finds that it does not run. */
  readonly start?: string | undefined
  readonly fetch?: typeof fetch
  readonly idleTimeout?: number
  readonly timeout?: number
  /** The longest answer that is read, in bytes as they come. */
  readonly maxBytes?: number
  /** Whether a stream must end with `[DONE]`; false for a server that never sends it. */
  readonly needsDone?: boolean
}

/** A model behind any server that speaks OpenAI's chat completions. */
export function openAiCompatible(options: OpenAiOptions): Model {
  const { url, model, key, keyName, headers = {}, body: more = {}, start, provider } = options
  const { fetch: ask = globalThis.fetch, maxBytes = 64 << 20, needsDone = true } = options
  const { idleTimeout = defaultLimits.idleTimeout, timeout = defaultLimits.modelTimeout } = options
  const { native = false, roles = native ? BOTH : SYSTEM } = options
  const { chatTemplate, contextTokens, price } = options
  const endpoint = endpointOf(url)
  const sent = headersOf(key, headers)
  const name = provider ?? 'the server'
  const secrets = [key?.trim() ?? '', ...Object.values(headers)].filter((text) => text !== '')
  const server: ServerFacts = { endpoint, name, model, keyName, start, secrets }
  let quirks: Quirks = {}

  return {
    name: model,
    ...(provider !== undefined && { provider }),
    ...(chatTemplate !== undefined && { chatTemplate }),
    ...(contextTokens !== undefined && { contextTokens }),
    ...(price && { price }),
    ...(options.countTokens && { countTokens: (...all) => options.countTokens!(...all) }),
    roles,
    native,

    async *reply(request) {
      const patience = startReplyDeadline(request, { idleTimeout, timeout, name })
      try {
        const response = await open(request, patience)
        yield* readReply(response, patience)
      } catch (error) {
        // What aborting made fail is told by why it was aborted.
        patience.throwIfOver()
        throw explain(error)
      } finally {
        patience.end()
      }
    },
  }

  /** Sends the request, without what the server is found not to know. */
  async function open(request: ModelRequest, { signal }: ReplyDeadline): Promise<Response> {
    for (;;) {
      const response = await send('chat/completions', {
        method: 'POST',
        body: requestBody(request, { model, quirks, more }),
        signal,
      })
      if (response.ok) return response
      const { status } = response
      const said = await sayingOf(response)
      const quirk = status === 400 || status === 422 ? quirkIn(said, quirks) : undefined
      if (quirk) {
        quirks = quirk
        continue
      }
      const retryAfter = retryAfterOf(response.headers)
      const location = response.headers.get('location') ?? undefined
      const models = status === 404 ? await listModels(send, signal) : undefined
      throw statusError({ status, said, retryAfter, location, models }, server)
    }
  }

  async function send(path: string, init: RequestInit): Promise<Response> {
    try {
      // A key is sent to nobody but who it was meant for.
      return await ask(endpoint.at(path), { ...init, headers: sent, redirect: 'manual' })
    } catch (error) {
      // No connection; or the request was aborted, which whoever aborted it knows.
      throw unreachable(error, server)
    }
  }

  async function* readReply(
    response: Response,
    patience: ReplyDeadline,
  ): AsyncGenerator<ModelChunk, void, void> {
    const reading = createReading()
    const events = createEvents(Math.min(maxBytes, 16 << 20))
    const next = <Piece>(work: Promise<Piece>): Promise<Piece> => patience.next(work)
    let kind: 'events' | 'json' | undefined
    let whole = ''
    let tail = ''
    let isEmpty = true
    let isDone = false
    try {
      for await (const text of readText(response.body, { maxBytes, next })) {
        if (isDone) continue
        whole += text
        kind ??= kindOf(whole)
        // Space before it is nothing, however much there is.
        if (!kind) whole = ''
        if (kind !== 'events') continue
        tail = (tail + whole).slice(-20)
        const datas = events.feed(whole)
        whole = ''
        for (const data of datas) {
          isEmpty = false
          isDone = data.trim() === '[DONE]'
          if (isDone) break
          yield* read(data)
        }
        if (isDone) patience.closing()
      }
    } catch (error) {
      // What comes behind the end is nobody's, a hang-up too.
      if (!isDone) throw error
    }
    if (kind === 'json') yield* read(whole)
    else if (isEmpty) throw garbled('nothing came')
    // The last line may lack its end, and a whole answer needs none.
    isDone ||= kind === 'json' || /data: ?\[DONE\]\s*$/.test(tail)
    const { usage, ending } = reading
    if (usage) yield { type: 'usage', usage }
    if (ending === 'filtered') {
      throw new ModelError(
        'refused',
        `A content filter of ${name} stopped the reply: ask otherwise.`,
      )
    }
    yield { type: 'finish', finish: ending && (isDone || !needsDone) ? ending : 'broken' }

    function read(data: string): ModelChunk[] {
      const value = parseJson(data)
      const complaint = isError(value) ? complaintOf(value) : undefined
      if (!complaint) return reading.read(value, data)
      const { code, message } = complaint
      const status = typeof code === 'number' && code >= 400 && code < 600 ? code : 500
      throw statusError({ status, said: `${message} ${code ?? ''}` }, server)
    }
  }

  function explain(error: unknown): unknown {
    const bad = (what: string): ModelError =>
      new ModelError('garbled', `What ${name} (${endpoint.shown}) sent is no reply: ${what}.`)
    if (error instanceof Garbled) return bad(quoteServer(error.message, server))
    if (!(error instanceof BodyError)) return error
    if (error.problem === 'not_utf8') return bad('it is not UTF-8')
    if (error.problem === 'too_long') {
      const message = `The reply of ${name} is longer than ${maxBytes} bytes: it was cut off there.`
      return new ModelError('too_long', message)
    }
    const code = codeOf(error.thrown)
    const message = `The connection to ${name} (${endpoint.shown}) broke before the reply was over${code ? ` (${code})` : ''}.`
    return new ModelError('cut_off', message, { code })
  }
}

const BOTH = ['system', 'tool'] as const
const SYSTEM = ['system'] as const

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
    // What it throws shows the value.
    throw new TypeError(
      'expected a key and headers of plain characters, got one that no header may hold: copy the key again',
    )
  }
}

/** What a body is, by how it begins; undefined while only space came. */
function kindOf(text: string): 'events' | 'json' | undefined {
  const start = text.trimStart()
  if (start === '') return undefined
  if (start.startsWith('{')) return 'json'
  if (/^(:|data|event|id|retry|[a-z]{1,4}$)/.test(start)) return 'events'
  const what = start.startsWith('<') ? 'it is HTML (check the URL):' : 'it begins with'
  throw garbled(`${what} ${start}`)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    // Not JSON.
    throw garbled(`expected JSON, got ${text}`)
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

/** What a refusal says: its message, or how its body begins. */
async function sayingOf(response: Response): Promise<string> {
  try {
    const text = await readAll(response, 64 << 10)
    try {
      const complaint = complaintOf(JSON.parse(text))
      return complaint ? `${complaint.message} ${complaint.code ?? ''}`.trim() : text
    } catch {
      // Not JSON: a proxy's page, or nothing.
      return text
    }
  } catch {
    // It is long, broken or not text: the status must do.
    return ''
  }
}
