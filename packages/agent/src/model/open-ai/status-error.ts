import { ModelError } from '../model-error.ts'
import { isOverflow } from './overflow.ts'
import { quoteServer, type ServerFacts } from './server.ts'

export interface Refusal {
  readonly status: number
  /** What the server says about it. */
  readonly said: string
  readonly retryAfter?: number | undefined
  /** Where it says the answer is instead. */
  readonly location?: string | undefined
  /** The models it has, if it was asked. */
  readonly models?: readonly string[] | undefined
}

/** What an HTTP status other than success means, and what to do. */
export function statusError(refusal: Refusal, server: ServerFacts): ModelError {
  const { status, retryAfter } = refusal
  const said = quoteServer(refusal.said, server)
  const head = `${server.name} (${server.endpoint.shown}) answered ${status}`
  const tail = said ? ` It says: ${said}${/[.!?…]$/.test(said) ? '' : '.'}` : ''
  const error = (problem: ModelError['problem'], advice: string): ModelError =>
    new ModelError(problem, `${head}: ${advice}.${tail}`, { status, retryAfter })

  if (status === 429 && isBroke(refusal.said)) {
    return error('refused', 'the account has no credit left: add some, or use another model')
  }
  if (status === 429) return error('rate_limited', 'too many requests, or a quota is used up')
  if (status === 413 || isOverflow(refusal.said)) {
    return error('context_overflow', 'the messages are more than the model can see')
  }
  if (status >= 500 || status === 408) {
    return error('unavailable', 'it is overloaded or broken; trying again may help')
  }
  if (status === 401) return error('refused', keyAdvice(server))
  if (status === 402) return error('refused', 'the account has no credit left')
  if (status === 403)
    return error('refused', `the key may not use this model. ${keyAdvice(server)}`)
  if (status === 404) return error('refused', missing(refusal, server))
  if (status >= 300 && status < 400) {
    const to = quoteServer(refusal.location ?? '', server)
    return error(
      'refused',
      `its API is elsewhere${to && `, at ${to}`}: use that URL if you trust it`,
    )
  }
  return error('refused', 'it does not accept the request')
}

function keyAdvice({ keyName, secrets, endpoint, model }: ServerFacts): string {
  if (secrets.length > 0) return `the key is not accepted: check ${keyName ?? 'it'}`
  if (keyName !== undefined) return `it needs a key: set ${keyName}`
  return `it needs a key: call the model ${endpoint.shown}#${model} and set TOOLGLOT_API_KEY; in code, give \`key\``
}

function missing({ models }: Refusal, server: ServerFacts): string {
  if (!models)
    return `there is no model ${server.model}, or no such API: check the URL and the name`
  if (models.length === 0) return `it has no model yet; ${server.model} was asked for`
  const shown = models.slice(0, 10).map((name) => quoteServer(name, server))
  const more = models.length > 10 ? ` and ${models.length - 10} more` : ''
  return `it has no model ${server.model}. It has ${shown.join(', ')}${more}: name one of them`
}

/** Asking again does not bring money. */
function isBroke(said: string): boolean {
  return /insufficient_quota|insufficient balance|billing_hard_limit/i.test(said)
}
