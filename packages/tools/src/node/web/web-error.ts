import { ToolError } from '@toolglot/agent'

/** Turns a network error into a `ToolError` that the model can act on. */
export function webError(error: unknown, url: URL): ToolError {
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

interface Reason {
  readonly code?: string
  readonly message: string
}

/** An error and its causes. */
function reasonsOf(error: unknown): Reason[] {
  const found: Reason[] = []
  for (let next: unknown = error; next instanceof Error && found.length < 5; next = next.cause) {
    const { code } = next as NodeJS.ErrnoException
    const first = next instanceof AggregateError ? reasonsOf(next.errors[0]) : []
    found.push({ ...(code !== undefined && { code }), message: next.message }, ...first)
  }
  return found.filter(({ code, message }) => code !== undefined || message !== '')
}
