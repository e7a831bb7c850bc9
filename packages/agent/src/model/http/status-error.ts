import { ModelError } from '../model-error.ts'
import { describeTime } from '../../time/describe-time.ts'
import { HtmlReply } from './garbled-reply.ts'
import { isOverflow } from './is-overflow.ts'
import { quoteServer, type ServerFacts } from './server-facts.ts'

/** A response with an HTTP status other than success. */
export interface FailedResponse {
  readonly status: number
  /** The server's explanation. */
  readonly message: string
  readonly retryAfter?: number | undefined
  /** The target of a redirect. */
  readonly location?: string | undefined
  /** The models on the server, if it has a list. */
  readonly models?: readonly string[] | undefined
}

/** The error for a failed response: what its status means, and what to do. */
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
  // What answers for a server that is down sends pages, too.
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

/** Statuses with which a proxy answers in the place of a server. */
const GATEWAY_STATUSES: ReadonlySet<number> = new Set([502, 503, 504, 520, 521, 522, 523, 524])

/** Ollama and LM Studio say this of a model that cannot be loaded, where retrying does not help. */
function isOutOfMemory(message: string): boolean {
  return /requires more (system )?memory|insufficient system resources/i.test(message)
}

/** Some servers answer 429 for an empty account, where retrying does not help. */
function isOutOfCredit(message: string): boolean {
  return /insufficient_quota|insufficient balance|billing_hard_limit/i.test(message)
}
