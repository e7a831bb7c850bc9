import { ToolError } from '@toolglot/agent'
import type { WebHead } from '../host/web.ts'

/** What an answer means that brought no page. */
export function statusError(url: URL, { status, headers }: WebHead): ToolError {
  const failed = (
    type: ToolError['errorType'],
    explanation: string,
    more: Readonly<Record<string, unknown>> = {},
  ): ToolError =>
    new ToolError(type, `${url.href} answers ${status}: ${explanation}`, {
      code: 'http_status',
      status,
      ...more,
    })
  if (status === 404 || status === 410)
    return failed('not_found', 'there is no such page. Check the address, or search for it.')
  if (status === 401 || status === 407)
    return failed('execution_failed', 'only who is signed in may see it. Use another source.')
  if (status === 403 || status === 451)
    return failed('execution_failed', 'it is not shown to us. Use another source.')
  if (status === 429 || status === 503) {
    const seconds = Number(headers['retry-after'])
    const wait = seconds > 0 ? `Wait ${Math.ceil(seconds)} seconds` : 'Wait a while'
    return failed('execution_failed', `it has too much to do. ${wait}, or use another source.`, {
      ...(seconds > 0 && { retry_after: Math.ceil(seconds) }),
    })
  }
  if (status >= 500)
    return failed('execution_failed', 'the server failed. Try again later, or use another source.')
  return failed('execution_failed', 'that is no page. Check the address, or use another source.')
}
