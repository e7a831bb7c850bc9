import { createHash, randomBytes, timingSafeEqual, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  localhostHostValidation,
  localhostOriginValidation,
  type NodeIncomingMessageLike,
  toNodeHandler,
} from '@modelcontextprotocol/node'
import {
  createMcpHandler,
  isLegacyRequest,
  type McpServerFactory,
  readRequestBody,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { duplicateKeyRefusal } from './ambiguous.ts'

/**
 * The maximum number of open sessions. A new session beyond that replaces the least recently used
 * one.
 */
const MAX_SESSIONS = 64

/**
 * Sessions for clients from before 2026, which need one for canceling calls and answering
 * questions.
 */
interface Sessions {
  fetch(request: Request): Promise<Response>
  close(): Promise<void>
}

/** Options for `serveHttp`. */
export interface HttpOptions {
  /** Default: any free port. */
  readonly port?: number | undefined
  readonly onError?: ((error: Error) => void) | undefined
}

/** A running HTTP server. */
export interface HttpServer {
  readonly url: string
  /** Required in every request as `Authorization: Bearer …`. */
  readonly token: string
  close(): Promise<void>
}

/** Serves MCP over streamable HTTP, on the loopback interface only and with a required token. */
export async function serveHttp(
  servers: McpServerFactory,
  { port = 0, onError = () => {} }: HttpOptions = {},
): Promise<HttpServer> {
  const token = randomBytes(32).toString('base64url')
  const modern = createMcpHandler(servers, { legacy: 'reject', onerror: onError })
  const sessions = createSessions(servers)
  const answer = toNodeHandler(
    {
      fetch: async (request, options) => {
        const refused = await refuseAmbiguous(request)
        if (refused) return refused
        return (await isLegacyRequest(request))
          ? sessions.fetch(request)
          : modern.fetch(request, options)
      },
    },
    { onerror: onError },
  )
  const isLocalHost = localhostHostValidation()
  const isLocalOrigin = localhostOriginValidation()

  const server = createServer((request, response) => {
    if (!isLocalHost(request, response) || !isLocalOrigin(request, response)) return
    if (!hasToken(token, request)) return refuse(response, 401)
    if (request.url?.split('?')[0] !== '/mcp') return refuse(response, 404)
    answer(request as NodeIncomingMessageLike, response).catch(onError)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    token,
    async close() {
      const closed = once(server, 'close')
      server.close()
      await Promise.all([modern.close(), sessions.close()])
      server.closeAllConnections()
      await closed
    },
  }
}

/** The response to a request with duplicate keys. */
async function refuseAmbiguous(request: Request): Promise<Response | undefined> {
  if (request.method !== 'POST') return undefined
  const body = await readRequestBody(request.clone())
  const refusal = body.tooLarge ? undefined : duplicateKeyRefusal(body.text)
  return refusal && Response.json(refusal.answer ?? null, { status: refusal.answer ? 200 : 400 })
}

function hasToken(token: string, { headers }: IncomingMessage): boolean {
  return timingSafeEqual(digest(`Bearer ${token}`), digest(headers.authorization ?? ''))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function refuse(response: ServerResponse, status: 401 | 404): void {
  response.writeHead(status, status === 401 ? { 'www-authenticate': 'Bearer' } : {}).end()
}

/** Creates sessions on demand, each with its own server. */
function createSessions(servers: McpServerFactory): Sessions {
  const open = new Map<string, WebStandardStreamableHTTPServerTransport>()

  async function begin(): Promise<WebStandardStreamableHTTPServerTransport> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: async (id) => {
        const [oldest] = open.values()
        open.set(id, transport)
        if (open.size > MAX_SESSIONS) await oldest?.close()
      },
    })
    transport.onclose = () => {
      if (transport.sessionId !== undefined) open.delete(transport.sessionId)
    }
    const server = await servers({ era: 'legacy' })
    await server.connect(transport)
    return transport
  }

  return {
    async fetch(request) {
      const id = request.headers.get('mcp-session-id')
      if (id === null) return (await begin()).handleRequest(request)
      const transport = open.get(id)
      if (!transport) return new Response(null, { status: 404 })
      open.delete(id)
      open.set(id, transport)
      return transport.handleRequest(request)
    },
    async close() {
      await Promise.all([...open.values()].map((transport) => transport.close()))
    },
  }
}
