// Folder: The Node server: listening and closing.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Connection, Cut, ResponseEnd } from '../connection.ts'
import { HttpError, type HttpErrorCode, PROBLEM_TYPE, problemOf } from '../security/http-error.ts'
import type { Limits } from '../security/limits.ts'
import { addSecurityHeaders } from '../security/response-headers.ts'
import { ABSENT, absentAddress } from './address.ts'
import { send } from './send.ts'
import { type CloseOptions, createSockets } from './sockets.ts'
import { METHODS } from '../methods.ts'
import { bodyOf, headersOf } from '@toolglot/agent/node/internal'

/** Answers the requests of one server. */
export type Handler = (request: Request, connection: Connection) => Promise<Response>

/** The addresses of a server, and the app that answers. */
export interface ListenOptions {
  readonly addresses: readonly string[]
  /** 0 selects any free port. */
  readonly port: number
  readonly limits: Limits
  /** Creates the app once the port is known. */
  readonly handler: (port: number) => Handler
  /** Called with errors that cannot be reported in a response. */
  readonly onError?: ((error: unknown) => void) | undefined
}

/** A listening server. */
export interface Listening {
  readonly port: number
  /** Stops accepting requests, lets responses end for a while, then closes every connection. */
  close(options?: CloseOptions): Promise<void>
}

/**
 * The maximum number of ports tried to find one that is free on every address, if the port is 0.
 */
const ATTEMPTS = 20

/**
 * Listens on the same port of every address. Addresses that this machine does not have are skipped,
 * except the first.
 */
export async function listen(options: ListenOptions): Promise<Listening> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await listenOnce(options)
    } catch (error) {
      const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
      if (!isTaken || options.port !== 0 || attempt === ATTEMPTS) throw error
    }
  }
}

async function listenOnce({
  addresses,
  port: wanted,
  limits,
  handler,
  onError,
}: ListenOptions): Promise<Listening> {
  const sockets = createSockets(limits)
  const servers: Server[] = []
  let port = wanted
  let answer: Handler | undefined
  let isClosing = false

  try {
    for (const [index, address] of addresses.entries()) {
      const server = createServerFor(limits)
      server.on('connection', sockets.add)
      server.on('clientError', refuse)
      server.on('request', (incoming, outgoing) => void receive(incoming, outgoing, () => {}))
      server.on('checkContinue', (incoming, outgoing) => {
        void receive(incoming, outgoing, () => outgoing.writeContinue())
      })
      try {
        port = await bind(server, address, port)
      } catch (error) {
        const { code = '' } = error as NodeJS.ErrnoException
        if (!ABSENT.has(code)) throw error
        if (index === 0) throw absentAddress(address, code)
        continue
      }
      servers.push(server)
      server.on('error', (error) => onError?.(error))
    }
    answer = handler(port)
  } catch (error) {
    await close()
    throw error
  }
  return { port, close }

  async function receive(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    proceed: () => void,
  ): Promise<void> {
    const controller = new AbortController()
    let bytes = 0
    let why: Cut | undefined
    let onEnd: ((end: ResponseEnd) => void) | undefined
    const end = (): ResponseEnd => ({
      bytes,
      aborted: !outgoing.writableFinished,
      cut: sockets.isStopped() ? 'stopped' : why,
    })
    const cut = (reason: Cut): void => {
      // A disconnected client is the reason itself.
      if (!controller.signal.aborted) why ??= reason
      outgoing.destroy()
    }
    outgoing.once('close', () => {
      sockets.done(incoming.socket, outgoing)
      if (!outgoing.writableFinished) controller.abort()
      onEnd?.(end())
      if (isClosing) incoming.socket.destroySoon()
    })
    // If the client disconnects while sending, this event comes before the response ends.
    incoming.once('error', () => controller.abort())
    sockets.begin(incoming.socket, outgoing)

    try {
      const response = await respond(incoming, controller.signal, proceed, {
        trust(token) {
          const isTrusted = sockets.trust(incoming.socket, token)
          if (!isTrusted) outgoing.setHeader('connection', 'close')
          return isTrusted
        },
        onEnd(callback) {
          if (outgoing.closed) callback(end())
          else onEnd = callback
        },
      })
      if (isClosing) outgoing.setHeader('connection', 'close')
      await send(response, incoming, outgoing, { count: (more) => (bytes += more), cut }, limits)
    } catch (error) {
      if (!controller.signal.aborted) onError?.(error)
      cut('failed')
    }
  }

  async function respond(
    incoming: IncomingMessage,
    signal: AbortSignal,
    proceed: () => void,
    connection: Connection,
  ): Promise<Response> {
    try {
      if (!answer) throw new HttpError('starting', 'The server is starting. Try again.')
      const request = requestOf(incoming, `http://localhost:${port}`, signal, proceed)
      return await answer(request, connection)
    } catch (error) {
      // Handles failures that occur before the app gets a request.
      const problem =
        error instanceof HttpError
          ? error
          : new HttpError('invalid_request', 'The request is not valid HTTP.')
      const headers = new Headers({ 'content-type': PROBLEM_TYPE })
      addSecurityHeaders(headers)
      return Response.json(problemOf(problem), { status: problem.status, headers })
    }
  }

  /** Answers data that Node cannot parse as a request. */
  function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
    if (error.code !== TIMEOUT || sockets.isAnswering(socket)) return refuseNow(error, socket)
    // If the process was paused, the request may have arrived: Node checks its timers before it
    // reads.
    const { bytesWritten } = socket
    setImmediate(() => {
      if (!sockets.isAnswering(socket) && socket.bytesWritten === bytesWritten)
        refuseNow(error, socket)
    })
  }

  function refuseNow(error: NodeJS.ErrnoException, socket: Socket): void {
    // A response is in progress: more text would become part of it.
    if (!socket.writable || sockets.isAnswering(socket)) {
      socket.destroy()
      return
    }
    const [status, code] = REFUSALS[error.code ?? ''] ?? ['400 Bad Request', 'invalid_request']
    const body = JSON.stringify(problemOf({ status: parseInt(status), code, message: status }))
    const headers = new Headers({ 'content-type': PROBLEM_TYPE, connection: 'close' })
    headers.set('content-length', String(Buffer.byteLength(body)))
    addSecurityHeaders(headers)
    const lines = [...headers].map(([name, value]) => `${name}: ${value}\r\n`).join('')
    socket.end(`HTTP/1.1 ${status}\r\n${lines}\r\n${body}`, () => socket.destroy())
  }

  async function close(options: CloseOptions = {}): Promise<void> {
    isClosing = true
    const closed = servers.map((server) => new Promise((resolve) => server.close(resolve)))
    await sockets.close(limits.stopTimeout, options)
    await Promise.all(closed)
  }
}

const TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT'

/** The status and the code for each of Node's errors. */
const REFUSALS: Readonly<Record<string, readonly [status: string, code: HttpErrorCode]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'headers_too_large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['413 Payload Too Large', 'body_too_large'],
  [TIMEOUT]: ['408 Request Timeout', 'request_timeout'],
}

/** All of Node's limits are set, because its defaults differ between versions. */
function createServerFor(limits: Limits): Server {
  const server = createServer({
    maxHeaderSize: limits.headersSize,
    headersTimeout: limits.headersTimeout,
    // The app limits bodies more strictly. This limit is for bodies that the app doesn't read.
    requestTimeout:
      limits.headersTimeout +
      limits.bodyTimeout +
      Math.ceil((limits.gatewayBodySize / limits.bodyRate) * 1000),
    // The interval for checking the two timeouts above. Node's default is 30 seconds.
    connectionsCheckingInterval: Math.min(1000, Math.ceil(limits.headersTimeout / 2)),
    keepAliveTimeout: 10_000,
    keepAlive: true,
    noDelay: true,
    insecureHTTPParser: false,
    // The app refuses a missing Host like any wrong one.
    requireHostHeader: false,
    joinDuplicateHeaders: false,
  })
  // With a maximum number, Node would silently drop headers. Their size is limited instead.
  server.maxHeadersCount = 0
  server.timeout = 0
  return server
}

function bind(server: Server, address: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host: address, port, ipv6Only: address !== '::', exclusive: true }, () => {
      server.off('error', reject)
      const bound = server.address()
      resolve(typeof bound === 'object' && bound ? bound.port : port)
    })
  })
}

/**
 * Converts a Node request to a web-standard one. Its address is always our own: the app checks
 * `Host`. All headers are kept, including duplicates. Throws an HttpError.
 */
function requestOf(
  incoming: IncomingMessage,
  base: string,
  signal: AbortSignal,
  proceed: () => void,
): Request {
  const { method = '', url: target = '' } = incoming
  if (!METHODS.has(method)) {
    throw new HttpError('method_not_implemented', 'This server does not support that method.')
  }
  // An absolute URL contains a second host, so two programs could interpret the request
  // differently.
  if (!target.startsWith('/')) {
    throw new HttpError('invalid_target', 'The path of a request must begin with "/".')
  }
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const request = new Request(base + target, {
    method,
    headers: headersOf(incoming),
    ...(hasBody && {
      body: bodyOf(incoming, {
        onRead: proceed,
        // The connection stays open for the response.
        onCancel: () => {},
        broken: 'The client closed the connection.',
      }),
      duplex: 'half',
    }),
  })
  // A Request's own signal stops following its source once the Request is garbage-collected.
  return Object.defineProperty(request, 'signal', { value: signal })
}
