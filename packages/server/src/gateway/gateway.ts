import {
  type CallFormat,
  chooseCallFormat,
  fitTools,
  KeptReplies,
} from '@toolglot/agent/adapter/internal'
import { estimateTokens } from '@toolglot/agent/context'
import { textOf } from '@toolglot/agent/internal'
import { EVENT_STREAM } from '../anywhere/event-stream.ts'
import { answer } from './answer.ts'
import type { AnswerEvent } from './answer-event.ts'
import type { Api, ApiError, StreamWriter } from './api.ts'
import { apis } from './apis.ts'
import { messagesOf } from './conversation.ts'
import { errorResponse } from './error-response.ts'
import { createEventStream } from './event-stream.ts'
import { GatewayError } from './gateway-error.ts'
import { modelRoutes, unknownModel } from './list-models.ts'
import { asGatewayError } from './model-problem.ts'
import type { GatewayModel, GatewayModels } from './models.ts'
import { readJson } from './read-json.ts'
import type { GatewayReport, ReadRequest } from './report.ts'
import type { ConversationItem, GatewayRequest } from './request.ts'
import { RequestRecord } from './request-record.ts'
import { ToolLists } from './tool-lists.ts'

/** The models behind a gateway, and how it answers. */
export interface GatewayOptions {
  readonly models: GatewayModels
  /** Whether arguments are streamed while the model writes them. Default: false, so a call leaves whole or not at all. */
  readonly streamArguments?: boolean
  /** The maximum size of a request, in bytes. Default: 32 MiB. */
  readonly maxBody?: number
  /** How deep arrays and objects are nested in a request at most. Default: 64. */
  readonly maxDepth?: number
  /** How often a stream without news sends a comment, in milliseconds. Default: 15 seconds. */
  readonly heartbeat?: number
}

/** Answers requests of model APIs. It checks no token: its caller has done that. */
export interface Gateway {
  /** Answers a request, whatever its path. */
  fetch(request: Request, client: GatewayClient): Promise<Response>
  /** The same by route, for a server that has others, too. */
  readonly routes: readonly GatewayRoute[]
}

/** A route of the gateway. */
export interface GatewayRoute {
  readonly method: 'GET' | 'POST'
  /** A `*` at the end stands for any further path. */
  readonly path: string
  /** The API that it answers, such as `chat-completions`; undefined for lists of models. */
  readonly api?: string
  /** An error as the body of a response, in the shape of the route's API. */
  error(error: ApiError): object
  handle(request: Request, client: GatewayClient): Promise<Response>
}

/** Whose request it is. */
export interface GatewayClient {
  /** What is kept of a conversation is only used for the same owner. */
  readonly owner: string
  /** Called once the request has been read, and its model found. */
  readonly onRead?: (request: ReadRequest) => void
  /** Called once the request has been answered: of a stream, when it has ended. */
  readonly onReport?: (report: GatewayReport) => void
}

/** Creates a gateway: clients send tools, and any model answers with calls. */
export function createGateway(options: GatewayOptions): Gateway {
  const shared: Shared = {
    maxBody: 32 << 20,
    maxDepth: 64,
    heartbeat: 15_000,
    streamArguments: false,
    ...options,
    kept: new KeptReplies(MAX_KEPT),
    toolLists: new ToolLists(MAX_KEPT),
  }
  const routes: readonly GatewayRoute[] = [
    ...apis.map((api): GatewayRoute => ({
      method: 'POST',
      path: api.path,
      api: api.id,
      error: api.error,
      handle: (request, client) => handle(api, request, client, shared),
    })),
    ...modelRoutes(options.models),
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
          ? new GatewayError(405, 'method_not_allowed', 'Expected another method for this path.')
          : new GatewayError(404, 'not_found', 'There is nothing at this path.')
      return Promise.resolve(errorResponse(here[0] ?? apis[0]!, problem))
    },
  }
}

function isAt(path: string, pathname: string): boolean {
  return path.endsWith('*') ? pathname.startsWith(path.slice(0, -1)) : path === pathname
}

/** How many characters of replies are kept, and how many of tools. */
const MAX_KEPT = 16 << 20

interface Shared extends Required<GatewayOptions> {
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
  try {
    const read = api.read(await readJson(request, shared))
    record.read(read.request)
    const { model: name, stream: isStream } = read.request
    const target = await shared.models.find(name, signal)
    if (!target) throw unknownModel(name)
    const format = chooseCallFormat(target.model, target.protocol, target.toolsIn)
    record.began(target, format)
    const events = answerTo(read.request, target, format, { client, shared, signal, record })
    if (isStream)
      return await streamResponse(read.stream(), events, { record, shared, abandoned, signal })
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
    return errorResponse(api, problem)
  }
}

/** Answers a request in the model's own protocol, and keeps the reply for when it comes back. */
async function* answerTo(
  request: GatewayRequest,
  target: GatewayModel,
  format: CallFormat,
  { client: { owner }, shared, signal, record }: Answering,
): AsyncGenerator<AnswerEvent, void> {
  const { kept, toolLists } = shared
  const messages = messagesOf(request.conversation, owner, kept)
  const offered = toolLists.definitions(request.tools)
  const { contextTokens } = target.model
  const otherTokens = contextTokens === undefined ? 0 : tokensOf(request.conversation)
  const { protocol } = format
  const { tools, level, tokens } = fitTools(offered, { protocol, contextTokens, otherTokens })
  if (level > 0) record.note('tools-compact')
  if (contextTokens !== undefined && tokens + otherTokens > contextTokens * CERTAINLY)
    throw tooLong(tokens + otherTokens, contextTokens)
  const answered = yield* answer({
    request,
    target,
    format,
    messages,
    offered,
    tools,
    streamArguments: request.streamArguments ?? target.streamArguments ?? shared.streamArguments,
    signal,
    note: record.note,
    attempted: record.attempted,
  })
  record.answered(answered)
  const { result, text, calls, isForged } = answered
  if (calls.length > 0 && !isForged && result.message.protocol !== undefined)
    kept.keep({ text, calls }, result.message, owner)
}

/** About how many tokens a conversation has. */
function tokensOf(items: readonly ConversationItem[]): number {
  let images = 0
  const texts = items.map((item) => {
    if (item.role === 'result') return item.output
    const { content } = item
    if (item.role === 'assistant') return `${item.content}${JSON.stringify(item.calls)}`
    if (typeof content === 'string') return content
    images += content.filter(({ type }) => type === 'image').length
    return textOf(content)
  })
  return estimateTokens(texts.join('\n')) + images * IMAGE_TOKENS
}

const IMAGE_TOKENS = 1000

function tooLong(tokens: number, contextTokens: number): GatewayError {
  const message = `The messages and tools have about ${tokens} tokens, but the context window of the model has ${contextTokens}: shorten them.`
  return new GatewayError(400, 'context_length_exceeded', message, {
    parameter: 'messages',
    summary: message,
  })
}

/** Estimates are not exact: only what is far too long is refused here, and the rest by the model's server. */
const CERTAINLY = 1.2

interface Answering {
  readonly client: GatewayClient
  readonly shared: Shared
  readonly signal: AbortSignal
  readonly record: RequestRecord
}

async function streamResponse(
  writer: StreamWriter,
  events: AsyncGenerator<AnswerEvent, void>,
  {
    record,
    shared,
    signal,
    abandoned,
  }: Omit<Answering, 'client'> & { readonly abandoned: AbortController },
): Promise<Response> {
  // A failure before anything came is a response with its own status.
  const first = events.next()
  await firstOf(first, MAX_SILENCE)
  const stream = createEventStream(writer, {
    heartbeat: shared.heartbeat,
    onCancel: () => abandoned.abort(),
  })
  void pump()
  return new Response(stream.body, { headers: { ...EVENT_STREAM, ...record.headers() } })

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

/** How long a client waits for the status of a response, in milliseconds. */
const MAX_SILENCE = 5000

/** Waits for the work, but not longer than this; throws if it fails meanwhile. */
async function firstOf(work: Promise<unknown>, milliseconds: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise((resolve) => (timer = setTimeout(resolve, milliseconds)))
  try {
    await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
