import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A request that the server received. */
export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: Readonly<Record<string, unknown>>
}

/** A running server. */
export interface ModelServer {
  readonly url: string
  readonly port: number
  /** The requests so far, in order. */
  readonly requests: readonly ReceivedRequest[]
  /** The number of connections so far. */
  readonly connections: () => number
  /** Resolves when all connections are closed. */
  readonly closed: () => Promise<void>
}

/** Answers one request. */
export type Answer = (response: ServerResponse, request: ReceivedRequest, socket: Socket) => unknown

/**
 * Starts a real server on loopback, which runs until the test ends. Each request gets the next
 * answer; the last one is repeated.
 */
export async function modelServer(...answers: readonly Answer[]): Promise<ModelServer> {
  const requests: ReceivedRequest[] = []
  const sockets = new Set<Socket>()
  let connections = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const { method = '', url = '', headers } = request
      const body = (text === '' ? {} : JSON.parse(text)) as ReceivedRequest['body']
      const received: ReceivedRequest = { method, path: url, headers, body }
      requests.push(received)
      const answer = answers[Math.min(requests.length, answers.length) - 1]!
      answer(response, received, request.socket)
    })
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    connections++
    socket.on('error', () => undefined)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    connections: () => connections,
    async closed() {
      await Promise.all([...sockets].map((each) => new Promise((done) => each.once('close', done))))
    },
  }
}

/** Answers with server-sent events. Data other than strings is sent as JSON. */
export function events(...datas: readonly unknown[]): Answer {
  return (response) =>
    response
      .writeHead(200, { 'content-type': 'text/event-stream' })
      .end(datas.map((data) => eventOf(data)).join(''))
}

/** A server-sent event. */
export function eventOf(data: unknown): string {
  return `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
}

/** Answers with a body. Data other than strings is sent as JSON. */
export function answer(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  const isText = typeof body === 'string'
  const type = isText ? 'text/plain' : 'application/json'
  return (response) =>
    response
      .writeHead(status, { 'content-type': type, ...headers })
      .end(isText ? body : JSON.stringify(body))
}

/** A chunk of a streamed chat completion. */
export function delta(content: object, finish: string | null = null, more: object = {}): object {
  return { choices: [{ index: 0, delta: content, finish_reason: finish }], ...more }
}

/**
 * Answers by path: functions answer themselves, and other values are sent as JSON. Other paths are
 * not found.
 */
export function answerByPath(answers: Readonly<Record<string, object | string>>): Answer {
  return (response, request, socket) => {
    const found = answers[request.path]
    const given = typeof found === 'function' ? (found as Answer) : undefined
    const plain = found === undefined ? answer(404, 'not found') : answer(200, found)
    return (given ?? plain)(response, request, socket)
  }
}
