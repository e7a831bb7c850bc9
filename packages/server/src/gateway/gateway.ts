// Folder: The gateway, one folder per API; runs anywhere.
import { ModelError } from '@toolglot/agent'
import { KeptReplies, yieldToOthers } from '@toolglot/agent/adapter/internal'
import { EVENT_STREAM } from '../anywhere/event-stream.ts'
import type { ResponseStore } from './responses/history.ts'
import { answer, type Answered } from './answer.ts'
import type { AnswerEvent } from './answer-event.ts'
import {
  type Api,
  type ApiError,
  type ApiRequest,
  type StreamWriter,
  errorResponse,
} from './api.ts'
import { createApis } from './apis.ts'
import { contextOverflow, asGatewayError } from './model-problem.ts'
import { createEventStream } from './event-stream.ts'
import { GatewayError } from './gateway-error.ts'
import { modelRoutes, type GatewayModels } from './models.ts'
import { checkContext, prepare, type Prepared } from './prepare.ts'
import { readJson } from './read-json.ts'
import type { GatewayReport, ReadRequest } from './report.ts'
import { RequestRecord } from './request-record.ts'
import { ToolLists } from './offered-tool.ts'

/** The models of a gateway, and its settings. */
export interface GatewayOptions {
  readonly models: GatewayModels
  /**
   * Streams arguments while the model writes them. Default: false, so a call is sent whole or not
   * at all.
   */
  readonly streamArguments?: boolean | undefined
  /** The maximum size of a request, in bytes. Default: 32 MiB. */
  readonly maxBody?: number | undefined
  /** The maximum nesting depth of arrays and objects in a request. Default: 64. */
  readonly maxDepth?: number | undefined
  /**
   * The interval for sending comments in a stream without events, in milliseconds. Default: 15
   * seconds.
   */
  readonly heartbeat?: number | undefined
  /** The store of responses that later requests refer to. Default: in memory. */
  readonly responses?: ResponseStore | undefined
}

/** Answers requests of model APIs. Doesn't check tokens, so the caller has to. */
export interface Gateway {
  /** Answers a request with any path. */
  fetch(request: Request, client: GatewayClient): Promise<Response>
  /** The routes of `fetch`, for a server that also has other routes. */
  readonly routes: readonly GatewayRoute[]
}

/** A route of the gateway. */
export interface GatewayRoute {
  readonly method: 'GET' | 'POST'
  /** A trailing `*` matches any further path. */
  readonly path: string
  /** The API of the route, such as `chat-completions`; undefined for lists of models. */
  readonly api?: string
  /** An error as the body of a response, in the format of the route's API. */
  error(error: ApiError): object
  handle(request: Request, client: GatewayClient): Promise<Response>
}

/** The client of a request. */
export interface GatewayClient {
  /** Stored conversations are available only to their owner. */
  readonly owner: string
  /** Called once the request has been parsed and its model found. */
  readonly onRead?: (request: ReadRequest) => void
  /** Called once the request has been answered; for a stream, when it ends. */
  readonly onReport?: (report: GatewayReport) => void
}

/** Creates a gateway, through which clients can send tools to any model and get calls. */
export function createGateway({
  models,
  streamArguments = false,
  maxBody = 32 << 20,
  maxDepth = 64,
  heartbeat = 15_000,
  responses,
}: GatewayOptions): Gateway {
  const shared: Shared = {
    models,
    streamArguments,
    maxBody,
    maxDepth,
    heartbeat,
    kept: new KeptReplies(MAX_KEPT),
    toolLists: new ToolLists(MAX_KEPT),
  }
  const apis = createApis(responses)
  const routes: readonly GatewayRoute[] = [
    ...apis.flatMap((api): readonly GatewayRoute[] => {
      const { id, error, count } = api
      const post = { method: 'POST', api: id, error } as const
      return [
        {
          ...post,
          path: api.path,
          handle: (request, client) => handle(api, request, client, shared),
        },
        ...(count ? [{ ...post, path: count.path, handle: countTokens(api, count, shared) }] : []),
      ]
    }),
    ...modelRoutes(models),
  ]
  return {
    routes,
    fetch(request, client) {
      const { pathname } = new URL(request.url)
      const here = routes.filter(({ path }) => isAt(path, pathname))
      const route = here.find(({ method }) => method === request.method)
      if (route) return route.handle(request, client)
      const problem =
        here.length > 0
          ? new GatewayError(405, 'method_not_allowed', 'This path does not support the method.')
          : new GatewayError(404, 'not_found', 'This path does not exist.')
      const near = here[0] ?? apis.find(({ path }) => pathname.startsWith(`${path}/`)) ?? apis[0]!
      return Promise.resolve(errorResponse(near, problem))
    },
  }
}

function isAt(path: string, pathname: string): boolean {
  return path.endsWith('*') ? pathname.startsWith(path.slice(0, -1)) : path === pathname
}

/** The maximum size of cached replies and of cached tools, each in characters. */
const MAX_KEPT = 16 << 20

interface Shared extends Required<Omit<GatewayOptions, 'responses'>> {
  readonly kept: KeptReplies
  readonly toolLists: ToolLists
}

async function handle(
  api: Api,
  request: Request,
  client: GatewayClient,
  shared: Shared,
): Promise<Response> {
  const abandoned = new AbortController()
  const signal = AbortSignal.any([request.signal, abandoned.signal])
  const record = new RequestRecord(api, client)
  let read: ApiRequest | undefined
  try {
    read = await api.read(await readJson(request, shared), client.owner)
    record.read(read.request)
    await yieldToOthers()
    const userAgent = request.headers.get('user-agent')
    const answering = { ...shared, owner: client.owner, userAgent, signal, record }
    const prepared = await prepare(read.request, answering)
    await checkContext(prepared, signal)
    const events = answerTo(prepared, answering)
    if (read.request.stream)
      return await streamResponse(read.stream(prepared.estimate), events, {
        ...answering,
        abandoned,
      })
    const all: AnswerEvent[] = []
    for await (const event of events) {
      record.add(event)
      all.push(event)
    }
    record.end()
    return Response.json(read.whole(all), { headers: record.headers() })
  } catch (error) {
    const problem = asGatewayError(error)
    record.fail(problem, signal.aborted)
    if (!read?.request.stream || !api.streamedErrors?.includes(problem.code))
      return errorResponse(api, problem)
    const text = read.stream(() => 0).error(problem)
    return new Response(text, { headers: { ...EVENT_STREAM, ...record.headers() } })
  }
}

/** Counts the tokens of a request without sending it to the model. */
function countTokens(
  api: Api,
  count: NonNullable<Api['count']>,
  shared: Shared,
): GatewayRoute['handle'] {
  return async (request, client) => {
    const { signal } = request
    const record = new RequestRecord({ id: api.id, path: count.path }, client)
    try {
      const read = await api.read(await readJson(request, shared), client.owner)
      record.read(read.request)
      const { owner } = client
      const userAgent = request.headers.get('user-agent')
      const preparing = { ...shared, owner, userAgent, signal, record }
      const prepared = await prepare(read.request, preparing)
      record.counted()
      return Response.json(count.write(prepared.estimate()), { headers: record.headers() })
    } catch (error) {
      const problem = asGatewayError(error)
      record.fail(problem, signal.aborted)
      return errorResponse(api, problem)
    }
  }
}

/**
 * Answers a request in the model's own protocol, and caches the reply for the client's next
 * request.
 */
async function* answerTo(
  prepared: Prepared,
  { owner, kept, streamArguments, signal, record }: Answering,
): AsyncGenerator<AnswerEvent, void> {
  const { request, target } = prepared
  let answered: Answered
  try {
    answered = yield* answer({
      ...prepared,
      streamArguments: request.streamArguments ?? target.streamArguments ?? streamArguments,
      signal,
      note: record.note,
      attempted: record.attempted,
    })
  } catch (error) {
    if (!(error instanceof ModelError) || error.problem !== 'context_overflow') throw error
    throw contextOverflow(prepared, error)
  }
  record.answered(answered)
  const { result, text, calls, isForged } = answered
  const isWhole = !isForged && calls.length === result?.calls.length
  if (calls.length > 0 && isWhole && result.message.protocol !== undefined)
    kept.keep({ text, calls }, result.message, owner)
}

interface Answering extends Shared {
  readonly owner: string
  readonly userAgent: string | null
  readonly signal: AbortSignal
  readonly record: RequestRecord
}

async function streamResponse(
  writer: StreamWriter,
  events: AsyncGenerator<AnswerEvent, void>,
  { record, heartbeat, signal, abandoned }: Answering & { readonly abandoned: AbortController },
): Promise<Response> {
  // A failure before the first event becomes a response with its own status.
  const first = events.next()
  await firstOf(first, MAX_SILENCE)
  const stream = createEventStream(writer, {
    heartbeat,
    onCancel: () => abandoned.abort(),
  })
  const headers = { ...EVENT_STREAM, ...record.headers() }
  const response = new Response(stream.body, { headers })
  void pump()
  return response

  async function pump(): Promise<void> {
    try {
      for (let step = await first; !step.done; step = await events.next()) {
        record.add(step.value)
        const busy = stream.write(step.value)
        if (busy) await busy
      }
      record.end()
      stream.end()
    } catch (error) {
      const problem = asGatewayError(error)
      record.fail(problem, signal.aborted)
      stream.end(writer.error(problem))
      abandoned.abort()
    }
  }
}

/** The maximum time before the status of a response is sent, in milliseconds. */
const MAX_SILENCE = 5000

/** Waits for the work, up to a time limit. Throws if it fails in that time. */
async function firstOf(work: Promise<unknown>, milliseconds: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise((resolve) => (timer = setTimeout(resolve, milliseconds)))
  try {
    await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
