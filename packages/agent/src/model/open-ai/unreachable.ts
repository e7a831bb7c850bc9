import { ModelError } from '../model-error.ts'
import { quoteServer, type ServerFacts } from './server.ts'

/** What kept us from connecting, and what to do. Nothing of what was thrown is passed on but its code. */
export function unreachable(thrown: unknown, server: ServerFacts): ModelError {
  const code = codeOf(thrown)
  const { name, endpoint } = server
  const at = `${name} at ${endpoint.shown}`
  // The runtime waits no longer than this for an answer to begin; asking again would only wait again.
  if (code === 'UND_ERR_HEADERS_TIMEOUT') {
    return new ModelError('timeout', `${at} did not begin to answer in time: ask for less.`, {
      code,
    })
  }
  return new ModelError('unreachable', `Cannot reach ${at}: ${reasonOf(code, thrown, server)}.`, {
    code,
  })
}

function reasonOf(code: string | undefined, thrown: unknown, server: ServerFacts): string {
  const { endpoint, name, start } = server
  if (code === 'ECONNREFUSED' && endpoint.isLoopback) {
    const how = start ? `start it with \`${start}\`` : 'start it, or check the port'
    return `nothing listens there. Is ${start ? name : 'the server'} running? ${how}`
  }
  const known = code && REASONS.find(([pattern]) => pattern.test(code))
  if (known) return `${known[1]} (${code})`
  const message = thrown instanceof Error ? messageOf(thrown) : ''
  return quoteServer(code ?? message, server) || 'the connection failed'
}

const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^ECONNREFUSED$/, 'nothing listens there: check the host and the port'],
  [/^(ENOTFOUND|EAI_NONAME)$/, 'there is no host of that name: check the URL'],
  [/^EAI_/, 'its name cannot be looked up: check the network'],
  [/TIMEOUT|^ETIMEDOUT$/, 'it does not answer: check the host and the network'],
  [/^(EHOSTUNREACH|ENETUNREACH|ENETDOWN)$/, 'there is no way to it: check the network'],
  [
    /CERT|SIGNATURE|SELF_SIGNED|ISSUER|ALTNAME/,
    'its certificate is not trusted: check the URL; for one of your own set NODE_EXTRA_CA_CERTS',
  ],
  [
    /^ERR_SSL|^EPROTO$|SSL|TLS/,
    'TLS failed: check whether the URL should begin with http:// or https://',
  ],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'it closed the connection without an answer'],
  [/^HPE_|^UND_ERR_/, 'what answers there does not speak HTTP as it should'],
]

/** The code of an error or of what caused it, as Node, Bun and Deno tell it. */
export function codeOf(thrown: unknown): string | undefined {
  for (let error = thrown, depth = 0; depth < 5; depth++) {
    if (typeof error !== 'object' || error === null) return undefined
    const { code, cause, errors } = error as { code?: unknown; cause?: unknown; errors?: unknown }
    if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,60}$/.test(code)) return code
    error = cause ?? (Array.isArray(errors) ? (errors[0] as unknown) : undefined)
  }
  return undefined
}

function messageOf({ message, cause }: Error): string {
  return cause instanceof Error ? cause.message : message
}
