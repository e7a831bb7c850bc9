import { hasMarks } from '@toolglot/agent/internal'
import { parse, printCalls, type PrintableCall, type ProtocolId, protocols } from '@toolglot/core'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import {
  answerWith,
  conversationCalls,
  factsIn,
  openingText,
  openingThought,
} from './conversation.ts'
import { type ReceivedBody, type ReceivedMessage, refusalOf } from './strict-request.ts'

/** The behavior of the fake model. */
export interface Behaviour {
  /** The format of its calls. Default: hermes. */
  readonly protocol?: ProtocolId
  /**
   * `text`: accepts only text, and rejects all parameters for function calling. `native`: has
   * function calling. `printed`: accepts tools, but prints its calls as text. Default: text.
   */
  readonly calling?: 'text' | 'native' | 'printed'
  /** The number of characters per chunk. Default: the whole reply in one chunk. */
  readonly chunkSize?: number
  /** Milliseconds between chunks. Default: none. */
  readonly delay?: number
  /** The place of its reasoning before the first call. Default: no reasoning. */
  readonly reasoning?: 'field' | 'text'
  readonly images?: boolean
  /**
   * True if it continues a reply that begins in a last assistant message. Default: false, so it
   * rejects one.
   */
  readonly prefill?: boolean
  /** True if it rejects two consecutive messages of the same role. Default: false. */
  readonly alternating?: boolean
  /** The model's reply, instead of its part of the conversation. */
  readonly reply?: string | ((round: number, messages: readonly ReceivedMessage[]) => string)
  /** The status of its responses; the error message repeats the received key. Default: 200. */
  readonly status?: number
  readonly fault?: Fault
}

/** Faults of the fake model. */
export type Fault =
  /** The model never responds. */
  | 'silent'
  /** The model closes the connection in the middle of the reply. */
  | 'hang-up'
  /** The model responds with a web page. */
  | 'html'
  /** An event of the stream is not JSON. */
  | 'broken-json'
  /** An event of the stream is an error. */
  | 'error-event'
  /** The model writes text until the connection is closed. */
  | 'endless'
  /** The stream ends without `[DONE]`. */
  | 'no-done'
  /** The stream ends without a finish reason. */
  | 'no-finish'
  /** The reply is cut off in the middle, because it is too long. */
  | 'cut'
  /** The model reports a tool call without making one. */
  | 'no-call'
  /** The model continues after a stop string. */
  | 'ignores-stop'

/** A running fake model. */
export interface Upstream {
  /** The base URL of its API. */
  readonly url: string
  /** The requests so far, in order. */
  readonly requests: readonly ReceivedRequest[]
  /** Resolves when this many requests have arrived. */
  arrived(count: number): Promise<void>
  /** Resolves when this many responses were closed by the other side before they ended. */
  abandoned(count: number): Promise<void>
  close(): Promise<void>
}

/** A request that the fake model received. */
export interface ReceivedRequest {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: ReceivedBody
  /** The reason for rejecting it, if any. */
  readonly refusal: string | undefined
}

/**
 * Starts a fake model on loopback: a real HTTP server for chat completions. The model first
 * searches, then searches and adds in one reply, then repeats the facts from the results. Its
 * replies depend only on the messages, so any number of conversations can take place at the same
 * time. The model's name can select its behavior.
 */
export async function startUpstream(
  behaviour: Behaviour | ((model: string) => Behaviour) = {},
): Promise<Upstream> {
  const requests: ReceivedRequest[] = []
  const sockets = new Set<Socket>()
  let abandoned = 0
  let notify = (): void => undefined
  let changed = nextChange()

  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString() || '{}') as ReceivedBody
      const how = typeof behaviour === 'function' ? behaviour(body.model ?? '') : behaviour
      const refusal = refusalOf(body, how)
      requests.push({ path: request.url ?? '', headers: request.headers, body, refusal })
      response.once('close', () => {
        if (!response.writableEnded) abandoned++
        notify()
      })
      notify()
      if (refusal !== undefined) return fail(response, 400, refusal)
      const { status = 200 } = how
      if (status !== 200) return fail(response, status, `No: ${request.headers.authorization}`)
      respond(response, body, how).catch((error: unknown) => response.destroy(error as Error))
    })
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    arrived: (count) => until(() => requests.length >= count),
    abandoned: (count) => until(() => abandoned >= count),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }

  async function until(isTrue: () => boolean): Promise<void> {
    while (!isTrue()) await changed
  }

  function nextChange(): Promise<void> {
    return new Promise((resolve) => {
      notify = () => {
        resolve()
        changed = nextChange()
      }
    })
  }
}

/** The fake model's reply, before it is split into chunks. */
interface Reply {
  readonly reasoning?: string
  readonly content: string
  /** Native calls. */
  readonly calls: readonly PrintableCall[]
  readonly finish: 'stop' | 'length' | 'tool_calls'
}

async function respond(
  response: ServerResponse,
  body: ReceivedBody,
  how: Behaviour,
): Promise<void> {
  const { fault } = how
  if (fault === 'silent') return
  if (fault === 'html') {
    response.setHeader('content-type', 'text/html')
    response.end('<!doctype html><title>Sign in</title><p>/srv/secret/path')
    return
  }
  const reply = replyTo(body, how)
  const used = usageOf(roundOf(body.messages, how))
  const usage = { ...used, total_tokens: used.prompt_tokens + used.completion_tokens }
  const base = { id: 'chatcmpl-fake', created: 1_763_200_000, model: body.model }
  if (!body.stream) {
    response.setHeader('content-type', 'application/json')
    const text = JSON.stringify({
      ...base,
      object: 'chat.completion',
      choices: [{ index: 0, message: wholeMessage(reply), finish_reason: reply.finish }],
      usage,
    })
    response.end(fault === 'broken-json' ? text.slice(0, -20) : text)
    return
  }

  response.setHeader('content-type', 'text/event-stream')
  const object = 'chat.completion.chunk'
  const deltas = deltasOf(reply, how)
  const middle = deltas.length >> 1
  for (let at = 0; at < deltas.length || fault === 'endless'; at++) {
    if (at === middle && fault === 'hang-up') {
      // Text that was already written still arrives.
      response.socket?.destroySoon()
      return
    }
    if (at === middle && fault === 'broken-json') await send('{"choices": [{"delta": {"con')
    if (at === middle && fault === 'error-event')
      await send({ error: { message: 'CUDA out of memory at /srv/secret/path', code: 500 } })
    if (response.destroyed) return
    const delta = deltas[at] ?? { content: 'and so on, '.repeat(100) }
    await send({ ...base, object, choices: [{ index: 0, delta, finish_reason: null }] })
    if (how.delay !== undefined) await new Promise((done) => setTimeout(done, how.delay))
  }
  if (fault !== 'no-finish')
    await send({
      ...base,
      object,
      choices: [{ index: 0, delta: {}, finish_reason: reply.finish }],
    })
  if (body.stream_options?.include_usage) await send({ ...base, object, choices: [], usage })
  if (fault !== 'no-done') await send('[DONE]')
  response.end()

  async function send(data: unknown): Promise<void> {
    const text = typeof data === 'string' ? data : JSON.stringify(data)
    if (response.write(`data: ${text}\n\n`) || response.destroyed) return
    await new Promise<void>((resolve) => {
      const go = (): void => {
        response.off('drain', go)
        response.off('close', go)
        resolve()
      }
      response.on('drain', go)
      response.on('close', go)
    })
  }
}

function replyTo(body: ReceivedBody, how: Behaviour): Reply {
  const { fault } = how
  const whole = ownReply(body.messages, how)
  const begun = body.messages.at(-1)?.role === 'assistant' ? textOf(body.messages.at(-1)!) : ''
  const rest = whole.content.startsWith(begun) ? whole.content.slice(begun.length) : whole.content
  const stops = fault === 'ignores-stop' ? [] : [body.stop ?? []].flat()
  const places = stops.map((stop) => rest.indexOf(stop)).filter((place) => place >= 0)
  const content = rest.slice(0, Math.min(rest.length, ...places))
  // A token is about four characters.
  const room = (body.max_tokens ?? Infinity) * 4
  if (fault === 'cut') {
    const isNative = whole.calls.length > 0
    return { ...whole, content: isNative ? content : content.slice(0, -20), finish: 'length' }
  }
  if (content.length > room)
    return { ...whole, content: content.slice(0, room), calls: [], finish: 'length' }
  return { ...whole, content }
}

/** The model's reply without a fault. */
function ownReply(messages: readonly ReceivedMessage[], how: Behaviour): Reply {
  const { protocol = 'hermes', calling = 'text', reply, reasoning, fault } = how
  const round = roundOf(messages, how)
  if (reply !== undefined) {
    const content = typeof reply === 'string' ? reply : reply(round, messages)
    return { content, calls: [], finish: 'stop' }
  }
  const calls = fault === 'no-call' ? undefined : conversationCalls[round]
  if (!calls) {
    const told = messages.filter(({ role }) => role === 'user' || role === 'tool').map(textOf)
    return { content: answerWith(factsIn(told.join('\n'))), calls: [], finish: 'stop' }
  }
  // Without marks, a reply with a call must not contain any other text.
  const opening = round === 0 && hasMarks(protocols[protocol]) ? openingText : ''
  const thought =
    round === 0 && reasoning === 'text' ? `<think>\n${openingThought}\n</think>\n` : ''
  const field = round === 0 && reasoning === 'field' && { reasoning: openingThought }
  if (calling === 'native') return { ...field, content: opening, calls, finish: 'tool_calls' }
  const printed = printCalls(protocol, calls)
  const content = `${thought}${opening === '' ? '' : `${opening}\n`}${printed}`
  return { ...field, content, calls: [], finish: 'stop' }
}

/** The number of earlier calls of the model. */
function roundOf(messages: readonly ReceivedMessage[], { protocol = 'hermes' }: Behaviour): number {
  return messages.filter((message) => {
    if (message.role !== 'assistant') return false
    if ((message.tool_calls ?? []).length > 0) return true
    return parse(textOf(message), { protocols: protocol, tools: NAMES }).calls.length > 0
  }).length
}

const NAMES = [{ name: 'search_notes' }, { name: 'add_note' }]

function deltasOf(reply: Reply, { chunkSize = Infinity }: Behaviour): object[] {
  return [
    { role: 'assistant', content: '' },
    ...piecesOf(reply.reasoning ?? '', chunkSize).map((piece) => ({ reasoning_content: piece })),
    ...piecesOf(reply.content, chunkSize).map((content) => ({ content })),
    ...reply.calls.flatMap(({ name, args }, index) => [
      { tool_calls: [{ ...nativeCall(name, ''), index }] },
      ...piecesOf(argumentsOf(args, reply), chunkSize).map((piece) => ({
        tool_calls: [{ index, function: { arguments: piece } }],
      })),
    ]),
  ]
}

function piecesOf(text: string, size: number): string[] {
  if (size >= text.length) return text === '' ? [] : [text]
  return Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
    text.slice(at * size, (at + 1) * size),
  )
}

function wholeMessage(reply: Reply): object {
  const { reasoning, content, calls } = reply
  return {
    role: 'assistant',
    content,
    ...(reasoning !== undefined && { reasoning_content: reasoning }),
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ name, args }) => nativeCall(name, argumentsOf(args, reply))),
    }),
  }
}

/** The arguments of an unfinished call are also cut off. */
function argumentsOf(args: PrintableCall['args'], { finish }: Reply): string {
  const text = JSON.stringify(args)
  return finish === 'length' ? text.slice(0, -20) : text
}

function nativeCall(name: string, args: string): object {
  const id = crypto.randomUUID().replaceAll('-', '').slice(0, 9)
  return { id, type: 'function', function: { name, arguments: args } }
}

/** The usage reported by the fake model: it differs by round, so that tests recognize it. */
export function usageOf(round: number): { prompt_tokens: number; completion_tokens: number } {
  return { prompt_tokens: 1000 + round, completion_tokens: 20 + round }
}

function textOf({ content }: ReceivedMessage): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part: { text?: string }) => part.text ?? '').join('')
}

function fail(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json', 'retry-after-ms': '1' })
  response.end(JSON.stringify({ error: { message, type: 'invalid_request_error', code: null } }))
}
