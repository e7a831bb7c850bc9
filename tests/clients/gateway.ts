import { getRequestListener } from '@hono/node-server'
import { openAiCompatible } from '@toolglot/agent/models'
import { createGateway, type GatewayModel } from '@toolglot/server/gateway'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ProtocolId, protocols } from '@toolglot/core'
import {
  type Behaviour,
  startUpstream,
  type Upstream,
} from '../../packages/server/test/upstream.ts'

/** The gateway, on a real port, in front of the fake model. */
export interface RunningGateway {
  /** The base URL of its API. */
  readonly url: string
  readonly upstream: Upstream
  close(): Promise<void>
}

/**
 * How the fake model behaves, by the name that clients ask for: it takes text only, or has function calling, or takes tools
 * but prints its calls.
 */
export const kinds: Readonly<Record<string, Behaviour>> = {
  'text only': { calling: 'text', chunkSize: 1, reasoning: 'text', alternating: true },
  native: { calling: 'native', chunkSize: 5, reasoning: 'field' },
  printed: { calling: 'printed', protocol: 'qwen3-coder', chunkSize: 3 },
}

/** Further models: one accepts several messages of the user in a row, and one does not stop writing. */
const others: Readonly<Record<string, Behaviour>> = {
  'any order': { calling: 'text' },
  endless: { fault: 'endless' },
}

/** Starts the gateway. Names that are not listed above are those of protocols, which text-only models write. */
export async function startGateway(): Promise<RunningGateway> {
  const upstream = await startUpstream(behaviourOf)
  const { routes } = createGateway({
    models: {
      list: () => Promise.resolve(names().map((name) => ({ name, owner: 'fake' }))),
      find: (name) => Promise.resolve(names().includes(name) ? modelOf(name, upstream) : undefined),
    },
  })
  const listener = getRequestListener(async (request) => {
    const { pathname } = new URL(request.url)
    const route = routes.find(({ method, path }) => method === request.method && path === pathname)
    return route ? route.handle(request, { owner: 'test' }) : new Response(null, { status: 404 })
  })
  const server = createServer((request, response) => void listener(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    upstream,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await upstream.close()
    },
  }
}

/** The models that clients can name. */
export function names(): string[] {
  return [...Object.keys(kinds), ...Object.keys(others), ...Object.keys(protocols)]
}

function behaviourOf(name: string): Behaviour {
  const behaviour = kinds[name] ?? others[name]
  return behaviour ?? { protocol: name as ProtocolId, chunkSize: 11, alternating: true }
}

function modelOf(name: string, { url }: Upstream): GatewayModel {
  const { calling = 'text', protocol = 'hermes' } = behaviourOf(name)
  const native = calling !== 'text'
  const model = openAiCompatible({ url, model: name, key: 'upstream-key', native })
  return native ? { model } : { model, protocol }
}
