import { ModelError } from '../model-error.ts'
import { complaintOf } from '../open-ai/complaint.ts'
import { isOverflow } from '../open-ai/overflow.ts'
import { codeOf } from '../open-ai/unreachable.ts'
import { plainLine } from '../plain-line.ts'
import { hideKeys } from '../../result/hide-keys.ts'
import { retryAfterOf } from '../retry-after.ts'

/** What an AI SDK model threw, or sent as an error, in our words. */
export function aiSdkError(thrown: unknown, name: string): ModelError {
  if (thrown instanceof ModelError) return thrown
  const { statusCode, responseHeaders, responseBody, message } = (
    typeof thrown === 'object' && thrown !== null ? thrown : { message: String(thrown) }
  ) as Partial<Record<string, unknown>>
  const body = typeof responseBody === 'string' ? responseBody.slice(0, 64 << 10) : ''
  const said = plainLine(hideKeys(textIn(body) ?? complaintOf(thrown)?.message ?? String(message)))
  const status = typeof statusCode === 'number' ? statusCode : undefined
  const code = codeOf(thrown)
  const retryAfter = headersIn(responseHeaders)
  const problem = problemOf(status, `${said} ${body}`, code)
  const head =
    problem === 'cut_off'
      ? 'broke off in the middle of its reply'
      : status === undefined
        ? 'failed'
        : `answered ${status}`
  const why = `${said || 'it does not say why'}${code ? ` (${code})` : ''}`
  return new ModelError(problem, `${name} ${head}: ${why}`, {
    status,
    retryAfter,
    code,
  })
}

function problemOf(
  status: number | undefined,
  said: string,
  code: string | undefined,
): ModelError['problem'] {
  if (isOverflow(said)) return 'context_overflow'
  if (status === 429) return 'rate_limited'
  if (status !== undefined && (status >= 500 || status === 408)) return 'unavailable'
  if (status !== undefined && status >= 300) return 'refused'
  if (code === undefined) return 'garbled'
  return status === undefined ? 'unreachable' : 'cut_off'
}

function textIn(body: string): string | undefined {
  try {
    return complaintOf(JSON.parse(body))?.message
  } catch {
    // Not JSON.
    return undefined
  }
}

function headersIn(value: unknown): number | undefined {
  const given = (value ?? {}) as Readonly<Record<string, unknown>>
  const [exact, plain] = [given['retry-after-ms'], given['retry-after']]
  const headers = new Headers()
  if (typeof exact === 'string') headers.set('retry-after-ms', exact)
  if (typeof plain === 'string') headers.set('retry-after', plain)
  return retryAfterOf(headers)
}
