import { randomUUID } from 'node:crypto'
import {
  type McpServerFactory,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'

/** How many sessions may be open. After that, the least recently used one is closed. */
const MAX_SESSIONS = 64

/** Sessions for clients from before 2026, which need one to cancel calls and to answer questions. */
export interface Sessions {
  fetch(request: Request): Promise<Response>
  close(): Promise<void>
}

/** Creates sessions on demand, each with its own server. */
export function createSessions(servers: McpServerFactory): Sessions {
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
