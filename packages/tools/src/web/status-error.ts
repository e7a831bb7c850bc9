import { ToolError } from '@toolglot/agent'
import type { WebHead } from '../host/web.ts'

/** The error for a response that is not a page. */
export function statusError(url: URL, { status, headers }: WebHead): ToolError {
  const failed = (
    type: ToolError['errorType'],
    explanation: string,
    more: Readonly<Record<string, unknown>> = {},
  ): ToolError =>
    new ToolError(type, `${url.href} returned status ${status}: ${explanation}`, {
      code: 'http_status',
      status,
      ...more,
    })
  if (status === 404 || status === 410)
    return failed('not_found', 'page not found. Check the URL, or search for it.')
  if (status === 401 || status === 407)
    return failed('execution_failed', 'it requires a login. Use another source.')
  if (status === 403 || status === 451)
    return failed('execution_failed', 'access denied. Use another source.')
  if (status === 429 || status === 503) {
    const seconds = Number(headers['retry-after'])
    const wait = seconds > 0 ? `Wait ${Math.ceil(seconds)} seconds` : 'Wait a while'
    return failed('execution_failed', `the server is busy. ${wait}, or use another source.`, {
      ...(seconds > 0 && { retry_after: Math.ceil(seconds) }),
    })
  }
  if (status >= 500)
    return failed('execution_failed', 'the server failed. Try again later, or use another source.')
  return failed('execution_failed', 'not a page. Check the URL, or use another source.')
}
