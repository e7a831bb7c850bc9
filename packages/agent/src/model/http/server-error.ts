import { plainLine } from '../plain-line.ts'
import { hideKeys } from '../../result/redact.ts'
import type { Endpoint } from './endpoint.ts'
import { ModelError } from '../model-error.ts'
import { describeTime } from '../../time/describe-time.ts'
import { GarbledReply, HtmlReply, StreamedError } from './reply-errors.ts'
import { BodyError } from './read-text.ts'

/** Facts about a server for error messages. */
export interface ServerFacts {
  readonly endpoint: Endpoint
  /** The server's name for display. */
  readonly name: string
  readonly model: string
  /** The environment variable that contains its key. */
  readonly keyName: string | undefined
  /** The command for starting it. */
  readonly start: string | undefined
  /** Keys and header values that must not appear in messages. */
  readonly secrets: readonly string[]
}

/** Quotes text from a server safely in a message. */
function quoteServer(text: string, { secrets }: Pick<ServerFacts, 'secrets'>): string {
  // Hide keys before shortening the text, because half a key would not be recognized.
  return plainLine(hideKeys(text.slice(0, 4000), secrets))
}

/** A response with a status other than success. */
interface FailedResponse {
  readonly status: number
  /** The server's explanation. */
  readonly message: string
  readonly retryAfter?: number | undefined
  /** The target of a redirect. */
  readonly location?: string | undefined
  /** The models on the server, if it lists them. */
  readonly models?: readonly string[] | undefined
}

/** The error for a failed response, with an explanation of its status and advice. */
export function statusError(failed: FailedResponse, server: ServerFacts): ModelError {
  const { status, retryAfter } = failed
  const page = failed.message.trimStart().startsWith('<')
    ? `It sent a web page, ${new HtmlReply(failed.message.trim()).message}`
    : undefined
  const message = quoteServer(page ?? failed.message, server)
  const head = `${server.name} (${server.endpoint.display}) responded with ${status}`
  const words = page === undefined ? `Server message: ${message}` : message
  const tail = message ? ` ${words}${/[.!?…]$/.test(message) ? '' : '.'}` : ''
  const wait = retryAfter === undefined ? '' : ` It asks to wait ${describeTime(retryAfter)}.`
  const error = (problem: ModelError['problem'], advice: string): ModelError =>
    new ModelError(problem, `${head}: ${advice}.${tail}${wait}`, { status, retryAfter })

  if (status === 429 && isOutOfCredit(failed.message)) {
    return error('refused', 'the account has no credit left: add some, or use another model')
  }
  if (status === 429) return error('rate_limited', 'too many requests, or the quota is used up')
  if (status === 413 || isOverflow(failed.message)) {
    return error('context_overflow', 'the messages do not fit into the context window of the model')
  }
  if (isOutOfMemory(failed.message)) {
    return error(
      'refused',
      'the model does not fit into memory: use a smaller model, or a smaller context',
    )
  }
  // Proxies also respond with a page if the server behind them is down.
  if (page !== undefined && status >= 500 && !GATEWAY_STATUSES.has(status))
    return new ModelError(
      'garbled',
      `${head}: it is not the API of a model. Check the URL.${tail}`,
      {
        status,
        isLasting: true,
      },
    )
  if (status >= 500 || status === 408) {
    return error('unavailable', 'it is overloaded or broken; retrying may help')
  }
  if (status === 401) return error('refused', keyAdvice(server))
  if (status === 402) return error('refused', 'the account has no credit left')
  if (status === 403)
    return error('refused', `access to this model is denied. ${keyAdvice(server)}`)
  if (status === 404) return error('refused', missingModelAdvice(failed, server))
  if (status >= 300 && status < 400) {
    const to = quoteServer(failed.location ?? '', server)
    return error('refused', `it redirects${to && ` to ${to}`}: use that URL if you trust it`)
  }
  return error('refused', 'it rejects the request')
}

function keyAdvice({ keyName, secrets, endpoint, model }: ServerFacts): string {
  if (secrets.length > 0) return `the key is not accepted: check ${keyName ?? 'it'}`
  if (keyName !== undefined) return `it needs a key: set ${keyName}`
  return `it needs a key: use ${endpoint.display}#${model} as the model and set TOOLGLOT_API_KEY; in code, pass \`key\``
}

function missingModelAdvice({ models }: FailedResponse, server: ServerFacts): string {
  if (!models)
    return `the model ${server.model} or the API does not exist: check the URL and the name`
  if (models.length === 0) return `it has no models yet; ${server.model} was requested`
  const shown = models.slice(0, 10).map((name) => quoteServer(name, server))
  const more = models.length > 10 ? ` and ${models.length - 10} more` : ''
  return `it has no model ${server.model}. Available: ${shown.join(', ')}${more}`
}

/** The statuses with which a proxy reports that the server is down. */
const GATEWAY_STATUSES: ReadonlySet<number> = new Set([502, 503, 504, 520, 521, 522, 523, 524])

/**
 * True for the messages of Ollama and LM Studio about a model that cannot be loaded. A retry would
 * not help.
 */
function isOutOfMemory(message: string): boolean {
  return /requires more (system )?memory|insufficient system resources/i.test(message)
}

/**
 * True for an account without credit, for which some servers respond with 429. A retry would not
 * help.
 */
function isOutOfCredit(message: string): boolean {
  return /insufficient_quota|insufficient balance|billing_hard_limit/i.test(message)
}

/** True if an error message says that the messages exceed the context window. */
export function isOverflow(message: string): boolean {
  const text = message.slice(0, 2000).toLowerCase()
  return PHRASES.some((phrases) => phrases.every((phrase) => text.includes(phrase)))
}

/** Phrases in such messages. A message matches if it contains all phrases of a line. */
const PHRASES: readonly (readonly string[])[] = [
  ['context_length_exceeded'],
  ['exceed_context_size'],
  ['maximum context length'],
  ['context length', 'exceed'],
  ['context size', 'exceed'],
  ['context window', 'exceed'],
  ['context limit', 'exceed'],
  ['context window', 'too'],
  ['exceeds the available context'],
  ['exceeds the maximum', 'tokens'],
  ['prompt is too long'],
  ['prompt too long'],
  ['input is too long'],
  ['input length', 'exceed'],
  ['too many tokens'],
  ['reduce the length of the messages'],
  ['max_model_len'],
  ['maximum allowed', 'token'],
  ['larger than the maximum context'],
  ['greater than the context length'],
  ['longer than the context length'],
  ['context length of only'],
]

/**
 * Explains an unreadable reply. The message contains the server's name and quotes the content.
 * Other errors are returned unchanged.
 */
export function explainReplyError(error: unknown, server: ServerFacts, maxBytes: number): unknown {
  const { name, endpoint } = server
  const invalid = (what: string): ModelError =>
    new ModelError('garbled', `${name} (${endpoint.display}) sent an invalid reply: ${what}.`)
  if (error instanceof StreamedError) {
    const { code } = error
    const status = typeof code === 'number' && code >= 400 && code < 600 ? code : 500
    return statusError({ status, message: error.message }, server)
  }
  if (error instanceof HtmlReply) {
    const page = quoteServer(error.message, server)
    return new ModelError(
      'garbled',
      `${endpoint.display} sent a web page instead of a reply, ${page}. Check the URL.`,
      { isLasting: true },
    )
  }
  if (error instanceof GarbledReply) return invalid(quoteServer(error.message, server))
  if (!(error instanceof BodyError)) return error
  if (error.problem === 'not_utf8') return invalid('it is not UTF-8')
  if (error.problem === 'too_long') {
    const message = `The reply of ${name} exceeds ${maxBytes} bytes and was cut off.`
    return new ModelError('too_long', message)
  }
  const code = errorCode(error.thrown)
  const message = `The connection to ${name} (${endpoint.display}) broke before the reply ended${code ? ` (${code})` : ''}. See the server's log.`
  return new ModelError('cut_off', message, { code })
}

/**
 * The error for a failed connection, with its cause and advice. It contains nothing of the original
 * error but its code.
 */
export function unreachableError(thrown: unknown, server: ServerFacts): ModelError {
  const code = errorCode(thrown)
  const { name, endpoint } = server
  const at = `${name} at ${endpoint.display}`
  // Node's own limit for the start of a response. A retry would exceed the limit again.
  if (code === 'UND_ERR_HEADERS_TIMEOUT') {
    return new ModelError(
      'timeout',
      `${at} didn't start responding before Node's fetch timed out. Send a shorter request, or pass fetch: patientFetch from @toolglot/agent/node, which doesn't time out.`,
      { code },
    )
  }
  return new ModelError('unreachable', `Cannot reach ${at}: ${reasonOf(code, thrown, server)}.`, {
    code,
    isLasting: code !== undefined && LASTING.test(code),
  })
}

/**
 * The codes of lasting failures: nothing is listening, the host does not exist, or TLS does not
 * work.
 */
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
    "it closed the connection without a response. See the server's log",
  ],
  [/^HPE_|^UND_ERR_/, 'it does not send valid HTTP'],
]

/** The code of an error or its cause, as set by Node, Bun and Deno. */
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

/** The requested delay before a retry, in milliseconds: `retry-after-ms`, or `retry-after` (seconds or a date). */
export function readRetryAfter(headers: Headers, now: number = Date.now()): number | undefined {
  const exact = headers.get('retry-after-ms')
  if (exact !== null && NUMBER.test(exact.trim())) return Number(exact)
  const given = headers.get('retry-after')?.trim()
  if (!given) return undefined
  if (NUMBER.test(given)) return Math.round(Number(given) * 1000)
  // An HTTP date starts with a weekday. Date.parse also accepts many strings that are not dates.
  const date = /^[A-Za-z]{3,9},? /.test(given) ? Date.parse(given) : NaN
  // A date in the past means now.
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

const NUMBER = /^\d{1,9}(\.\d{1,9})?$/
