import { ModelError } from '../model-error.ts'
import { readErrorBody } from '../http/reply-errors.ts'
import { isOverflow, errorCode, readRetryAfter } from '../http/server-error.ts'
import { plainLine } from '../plain-line.ts'
import { hideKeys } from '../../result/redact.ts'

/** Converts an error thrown or streamed by an AI SDK model to a ModelError. */
export function aiSdkError(thrown: unknown, name: string): ModelError {
  if (thrown instanceof ModelError) return thrown
  const { statusCode, responseHeaders, responseBody, message } = (
    typeof thrown === 'object' && thrown !== null ? thrown : { message: String(thrown) }
  ) as Partial<Record<string, unknown>>
  const body = typeof responseBody === 'string' ? responseBody.slice(0, 64 << 10) : ''
  const detail = plainLine(
    hideKeys(messageIn(body) ?? readErrorBody(thrown)?.message ?? String(message)),
  )
  const status = typeof statusCode === 'number' ? statusCode : undefined
  const code = errorCode(thrown)
  const retryAfter = retryAfterIn(responseHeaders)
  const problem = problemOf(status, `${detail} ${body}`, code)
  const head =
    problem === 'cut_off'
      ? 'stopped in the middle of its reply'
      : status === undefined
        ? 'failed'
        : `answered ${status}`
  const why = `${detail || 'no reason was given'}${code ? ` (${code})` : ''}`
  return new ModelError(problem, `${name} ${head}: ${why}`, {
    status,
    retryAfter,
    code,
  })
}

function problemOf(
  status: number | undefined,
  message: string,
  code: string | undefined,
): ModelError['problem'] {
  if (isOverflow(message)) return 'context_overflow'
  if (status === 429) return 'rate_limited'
  if (status !== undefined && (status >= 500 || status === 408)) return 'unavailable'
  if (status !== undefined && status >= 300) return 'refused'
  if (code === undefined) return 'garbled'
  return status === undefined ? 'unreachable' : 'cut_off'
}

function messageIn(body: string): string | undefined {
  try {
    return readErrorBody(JSON.parse(body))?.message
  } catch {
    // The text is not JSON.
    return undefined
  }
}

function retryAfterIn(value: unknown): number | undefined {
  const given = (value ?? {}) as Readonly<Record<string, unknown>>
  const [exact, plain] = [given['retry-after-ms'], given['retry-after']]
  const headers = new Headers()
  if (typeof exact === 'string') headers.set('retry-after-ms', exact)
  if (typeof plain === 'string') headers.set('retry-after', plain)
  return readRetryAfter(headers)
}
