import { lookup } from 'node:dns/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { request } from 'undici'
import { unlessAborted } from '../../host/unless-aborted.ts'
import type { Web, WebHead } from '../../host/web.ts'
import { toMarkdown, type MarkdownLimits } from './markdown.ts'
import { agentForAddresses } from './pinned-agent.ts'
import { ENCODINGS, readBody } from './read-body.ts'
import { webError } from './web-error.ts'

/** Options of `nodeWeb`. */
export interface NodeWebOptions {
  /** Resolves a host. Default: as the system does. */
  readonly lookUp?: LookUpHost
  /** The User-Agent header. */
  readonly userAgent?: string
  readonly markdown?: MarkdownLimits
}

/** Web access through undici. Each request resolves its host once and connects only to permitted addresses. */
export function nodeWeb({
  lookUp: find = lookUp,
  userAgent = 'Toolglot/0.1 (an agent that reads pages for a person)',
  markdown: limits = {},
}: NodeWebOptions = {}): Web {
  return {
    async request(
      url,
      { permit, method = 'GET', headers = {}, body, maxBytes, wantsBody = isSuccess, ...rest },
    ) {
      // A separate signal, because undici does not remove its listeners.
      const signal = AbortSignal.any([rest.signal])
      signal.throwIfAborted()
      try {
        const addresses = await addressesOf(url, find, signal)
        permit({ addresses, own: ownAddresses() })
        const agent = agentForAddresses(addresses)
        try {
          const response = await request(url, {
            dispatcher: agent,
            method,
            signal,
            headers: { 'user-agent': userAgent, 'accept-encoding': ENCODINGS, ...headers },
            ...(body !== undefined && { body }),
          })
          // Destroying the agent below may interrupt it, which is not a failure.
          response.body.on('error', () => {})
          const head = { status: response.statusCode, headers: joinHeaders(response.headers) }
          if (!wantsBody(head)) return { ...head, body: new Uint8Array() }
          return { ...head, body: await readBody(response.body, head, { maxBytes, url: url.href }) }
        } finally {
          await agent.destroy()
        }
      } catch (error) {
        signal.throwIfAborted()
        throw webError(error, url)
      }
    },

    markdown: (html, options) => toMarkdown(html, { ...options, ...limits }),
  }
}

async function addressesOf(
  { hostname }: URL,
  find: LookUpHost,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return isIP(host) === 0 ? unlessAborted(signal, find(host)) : [host]
}

function isSuccess({ status }: WebHead): boolean {
  return status >= 200 && status < 300
}

function joinHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
  )
}

/** Resolves a host to all of its addresses. */
export type LookUpHost = (host: string) => Promise<readonly string[]>

const lookUp: LookUpHost = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address)

/** The addresses of this machine. */
function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((all) =>
    (all ?? []).map(({ address }) => address),
  )
}
