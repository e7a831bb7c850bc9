import type { IncomingMessage } from 'node:http'
import { METHODS } from '../methods.ts'
import { bodyOf, headersOf } from '@toolglot/agent/node/internal'
import { HttpError } from '../security/http-error.ts'

/**
 * A Node request as a web-standard one. Its address is always our own: what `Host` says is for the app to check. Every header
 * is taken, also those that were sent twice. Throws an HttpError.
 */
export function requestOf(
  incoming: IncomingMessage,
  base: string,
  signal: AbortSignal,
  proceed: () => void,
): Request {
  const { method = '', url: target = '' } = incoming
  if (!METHODS.has(method)) {
    throw new HttpError('method_not_implemented', 'This server does not know that method.')
  }
  // A whole URL names a second host, so that two parties may understand it differently.
  if (!target.startsWith('/')) {
    throw new HttpError('invalid_target', 'A request must name a path that begins with "/".')
  }
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const request = new Request(base + target, {
    method,
    headers: headersOf(incoming),
    ...(hasBody && {
      body: bodyOf(incoming, {
        onRead: proceed,
        // The connection stays open for the response.
        onCancel: () => {},
        broken: 'The client closed the connection.',
      }),
      duplex: 'half',
    }),
  })
  // A request's own signal stops following another one once the request is garbage.
  return Object.defineProperty(request, 'signal', { value: signal })
}
