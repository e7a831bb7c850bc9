import { lookup } from 'node:dns/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { isIP, type LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'
import { pipeline, type Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip } from 'node:zlib'
import { request, Agent, buildConnector } from 'undici'
import { ToolError } from '@toolglot/agent'
import { unlessAborted } from '@toolglot/agent/internal'
import { canonicalAddress } from '@toolglot/permissions/internal'
import type { Web, WebHead } from '../../host/web.ts'
import { type MarkdownLimits, toMarkdown } from './markdown.ts'

interface Reason {
  readonly code?: string
  readonly message: string
}

/** The time limit for connecting, in milliseconds. */
const CONNECT_TIMEOUT = 10_000

/** Options for `nodeWeb`. */
export interface NodeWebOptions {
  /** Resolves a host. Default: the system's resolver. */
  readonly lookUp?: LookUpHost | undefined
  /** The User-Agent header. */
  readonly userAgent?: string | undefined
  readonly markdown?: MarkdownLimits | undefined
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
            body,
          })
          // Destroying the agent below may interrupt the body, which is not a failure.
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

/**
 * An undici agent that connects only to these addresses, even if the host resolves to different
 * ones by then. The caller destroys it.
 */
export function agentForAddresses(addresses: readonly string[]): Agent {
  const checked = new Set(addresses.map(canonicalAddress))
  const found = addresses.map((address) => ({ address, family: isIP(address) }))
  const lookup: LookupFunction = (_host, options, callback) => {
    if (options.all) callback(null, found)
    else callback(null, found[0]!.address, found[0]!.family)
  }
  // undici passes unknown options on to the socket.
  const connect = buildConnector({
    lookup,
    timeout: CONNECT_TIMEOUT,
    autoSelectFamily: true,
  } as buildConnector.BuildOptions)
  return new Agent({
    connect: (options, callback) => {
      // A literal address is not looked up, so it is checked here.
      const { hostname } = options
      if (isIP(hostname) !== 0 && !checked.has(canonicalAddress(hostname))) {
        callback(uncheckedError(hostname), null)
        return
      }
      connect(options, (...[error, socket]) => {
        if (error) return callback(error, null)
        const { remoteAddress: address = hostname } = socket
        if (checked.has(canonicalAddress(address))) return callback(null, socket)
        socket.destroy()
        callback(uncheckedError(address), null)
      })
    },
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 64 * 1024,
  })
}

function uncheckedError(address: string): ToolError {
  return new ToolError(
    'permission_denied',
    `${address} was not checked, so nothing was sent to it.`,
    {
      code: 'unchecked_address',
    },
  )
}

/** Converts a network error to a `ToolError` with advice for the model. */
function webError(error: unknown, url: URL): ToolError {
  if (error instanceof ToolError) return error
  const reasons = reasonsOf(error)
  const codes = reasons.map(({ code }) => code ?? '')
  const has = (test: RegExp): boolean => codes.some((code) => test.test(code))
  const toolError = (type: ToolError['errorType'], message: string, code: string): ToolError =>
    new ToolError(type, message, { code, url: url.href }, { cause: error })
  const why = reasons.at(-1)?.message ?? String(error)

  if (has(/^(ENOTFOUND|ENODATA|EAI_NONAME)$/))
    return toolError('not_found', `Unknown host ${url.hostname}. Check its name.`, 'unknown_host')
  if (has(/^EAI_/))
    return toolError(
      'execution_failed',
      `${url.hostname} could not be looked up. Try again later.`,
      'lookup_failed',
    )
  if (has(/^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/))
    return toolError('timeout', `${url.host} did not answer in time. Try again later.`, 'no_answer')
  if (has(/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/))
    return toolError(
      'execution_failed',
      `${url.host} has an invalid certificate: ${why}. Nothing was sent. Use another source.`,
      'certificate',
    )
  if (
    has(/^(ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EPIPE|UND_ERR_SOCKET)$/)
  )
    return toolError(
      'execution_failed',
      `${url.origin} is unreachable: ${why}. Check the address, or try again later.`,
      'unreachable',
    )
  return toolError(
    'execution_failed',
    `${url.href} could not be read: ${why}. Try again later, or use another source.`,
    'broken_response',
  )
}

/** An error and its causes. */
function reasonsOf(error: unknown): Reason[] {
  const found: Reason[] = []
  for (let next: unknown = error; next instanceof Error && found.length < 5; next = next.cause) {
    const { code } = next as NodeJS.ErrnoException
    const first = next instanceof AggregateError ? reasonsOf(next.errors[0]) : []
    found.push({ code, message: next.message }, ...first)
  }
  return found.filter(({ code, message }) => code !== undefined || message !== '')
}

/** The encodings that `readBody` supports, as an Accept-Encoding header. */
const ENCODINGS = 'gzip, br'

/**
 * Reads and decompresses a body. Stops as soon as its size, or its declared size, exceeds
 * `maxBytes`.
 */
async function readBody(
  body: Readable,
  { headers }: WebHead,
  { maxBytes, url }: { readonly maxBytes: number; readonly url: string },
): Promise<Uint8Array> {
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge(url, maxBytes)
  const unpack = unpackerFor(headers['content-encoding'], url)
  const parts: Uint8Array[] = []
  let packed = 0
  let size = 0
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const part of body as AsyncIterable<Uint8Array>) {
      packed += part.length
      if (packed > maxBytes) throw tooLarge(url, maxBytes)
      yield part
    }
  }
  // A failure also reaches the loop below.
  const stream = unpack ? pipeline(counted, unpack, () => {}) : counted()
  for await (const part of stream as AsyncIterable<Uint8Array>) {
    size += part.length
    if (size > maxBytes) throw tooLarge(url, maxBytes)
    parts.push(part)
  }
  return Buffer.concat(parts, size)
}

function unpackerFor(encoding = 'identity', url: string): Transform | undefined {
  switch (encoding.trim().toLowerCase()) {
    case 'identity':
    case '':
      return undefined
    case 'gzip':
    case 'x-gzip':
      return createGunzip()
    case 'br':
      return createBrotliDecompress()
    default:
      throw new ToolError(
        'execution_failed',
        `${url} was sent with an unsupported encoding. Supported are ${ENCODINGS}. Try another source.`,
        { code: 'unknown_encoding' },
      )
  }
}

function tooLarge(url: string, maxBytes: number): ToolError {
  return new ToolError(
    'execution_failed',
    `${url} is larger than ${maxBytes / 1_000_000} MB, the maximum. Fetch a part of it or another page.`,
    { code: 'too_large', most: maxBytes },
  )
}
