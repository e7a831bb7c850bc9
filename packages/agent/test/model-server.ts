import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  // What a test looks at is the test's to say.
  readonly body: Readonly<Record<string, unknown>>
}

export interface ModelServer {
  readonly url: string
  readonly port: number
  readonly asked: readonly Asked[]
  /** How many connections there were. */
  readonly connections: () => number
  /** When all connections are closed. */
  readonly closed: () => Promise<void>
}

export type Answer = (response: ServerResponse, asked: Asked, socket: Socket) => unknown

/** A real server on loopback until the test is over; of several answers, each request gets the next, the last stays. */
export async function modelServer(...answers: readonly Answer[]): Promise<ModelServer> {
  const asked: Asked[] = []
  const sockets = new Set<Socket>()
  let connections = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const { method = '', url = '', headers } = request
      const body = (text === '' ? {} : JSON.parse(text)) as Asked['body']
      const each: Asked = { method, path: url, headers, body }
      asked.push(each)
      const answer = answers[Math.min(asked.length, answers.length) - 1]!
      answer(response, each, request.socket)
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
    asked,
    connections: () => connections,
    async closed() {
      await Promise.all([...sockets].map((each) => new Promise((done) => each.once('close', done))))
    },
  }
}

/** Answers with events, each JSON unless it is a text. */
export function events(...datas: readonly unknown[]): Answer {
  return (response) =>
    response
      .writeHead(200, { 'content-type': 'text/event-stream' })
      .end(datas.map((data) => eventOf(data)).join(''))
}

export function eventOf(data: unknown): string {
  return `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
}

/** Answers with a body, JSON unless it is a text. */
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

/** A piece of a streamed reply. */
export function delta(said: object, finish: string | null = null, more: object = {}): object {
  return { choices: [{ index: 0, delta: said, finish_reason: finish }], ...more }
}
