import { ModelError } from '../model-error.ts'
import { quoteServer, type ServerFacts } from './server-facts.ts'

/** The error for a failed connection: its cause, and what to do. Only the code of the original error is kept. */
export function unreachableError(thrown: unknown, server: ServerFacts): ModelError {
  const code = errorCode(thrown)
  const { name, endpoint } = server
  const at = `${name} at ${endpoint.display}`
  // Node's own limit for the start of a response. Retrying would only wait again.
  if (code === 'UND_ERR_HEADERS_TIMEOUT') {
    return new ModelError(
      'timeout',
      `${at} did not start to respond before Node's fetch gave up. Ask for less, or pass the option fetch: patientFetch from @toolglot/agent/node, which waits.`,
      { code },
    )
  }
  return new ModelError('unreachable', `Cannot reach ${at}: ${reasonOf(code, thrown, server)}.`, {
    code,
    isLasting: code !== undefined && LASTING.test(code),
  })
}

/** The codes of connections that fail again: nothing is listening, the host does not exist, TLS does not work. */
const LASTING =
  /^(ECONNREFUSED|ENOTFOUND|EAI_NONAME|EPROTO)$|CERT|SIGNATURE|SELF_SIGNED|ISSUER|ALTNAME|SSL|TLS/

function reasonOf(code: string | undefined, thrown: unknown, server: ServerFacts): string {
  const { endpoint, name, start } = server
  if (code === 'ECONNREFUSED' && endpoint.isLoopback) {
    const how = start ? `Start it with \`${start}\`` : 'Start it, or check the port'
    return `nothing is listening there. Is ${start ? name : 'the server'} running? ${how}`
  }
  const known = code && REASONS.find(([pattern]) => pattern.test(code))
  if (known) return `${known[1]} (${code})`
  const message = thrown instanceof Error ? messageOf(thrown) : ''
  return quoteServer(code ?? message, server) || 'the connection failed'
}

const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^ECONNREFUSED$/, 'nothing is listening there: check the host and the port'],
  [/^(ENOTFOUND|EAI_NONAME)$/, 'the host does not exist: check the URL'],
  [/^EAI_/, 'the host name cannot be resolved: check the network'],
  [/TIMEOUT|^ETIMEDOUT$/, 'it does not respond: check the host and the network'],
  [/^(EHOSTUNREACH|ENETUNREACH|ENETDOWN)$/, 'there is no route to the host: check the network'],
  [
    /CERT|SIGNATURE|SELF_SIGNED|ISSUER|ALTNAME/,
    'its certificate is not trusted: check the URL, or set NODE_EXTRA_CA_CERTS for your own certificate',
  ],
  [
    /^ERR_SSL|^EPROTO$|SSL|TLS/,
    'TLS failed: check whether the URL should start with http:// or https://',
  ],
  [
    /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/,
    "it closed the connection without a response: the server's log may say why",
  ],
  [/^HPE_|^UND_ERR_/, 'it does not send valid HTTP'],
]

/** The code of an error or of its cause, as Node, Bun and Deno set it. */
export function errorCode(thrown: unknown): string | undefined {
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
