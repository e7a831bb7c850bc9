import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { ToolError } from '@toolglot/agent'
import { readRules, type Rule } from '@toolglot/permissions'
import { onTestFinished } from 'vitest'

export interface TestServer {
  readonly port: number
  /** The local address of each connection, in order. */
  readonly connections: readonly string[]
  /** The requests, in order. */
  readonly paths: readonly string[]
  /** The number of open connections. */
  readonly open: () => number
}

/** A real server on every IPv4 address of this machine. Stopped after the test. */
export async function serve(
  answer: RequestListener | Readonly<Record<string, RequestListener>>,
  create: (listener: RequestListener) => Server = createServer,
): Promise<TestServer> {
  const paths: string[] = []
  const connections: string[] = []
  let open = 0
  const server = create((request, response) => {
    paths.push(request.url ?? '')
    const path = (request.url ?? '').split('?')[0]!
    const listener = typeof answer === 'function' ? answer : answer[path]
    if (listener) listener(request, response)
    else response.writeHead(404).end()
  })
  server.on('connection', (socket) => {
    connections.push(socket.localAddress ?? '')
    open++
    socket.once('close', () => open--)
  })
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { port, paths, connections, open: () => open }
}

/** Responds with a body and its content type. */
export function body(
  text: string | Uint8Array,
  type = 'text/html; charset=utf-8',
  headers: Readonly<Record<string, string>> = {},
): RequestListener {
  return (_request, response) =>
    void response.writeHead(200, { 'content-type': type, ...headers }).end(text)
}

export function redirect(location: string, status = 302): RequestListener {
  return (_request, response) => void response.writeHead(status, { location }).end()
}

export function allow(...texts: readonly string[]): readonly Rule[] {
  return readRules({ allow: texts }).rules
}

export const loopback: readonly Rule[] = allow('WebFetch(domain:127.0.0.1)')

/** The `ToolError` that a promise rejects with. */
export async function failureOf(promise: unknown): Promise<ToolError> {
  const error: unknown = await Promise.resolve(promise).then(
    () => new Error('It did not fail.'),
    (reason: unknown) => reason,
  )
  if (error instanceof ToolError) return error
  throw error
}
