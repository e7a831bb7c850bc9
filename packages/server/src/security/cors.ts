import { HttpError } from './http-error.ts'
import type { Place } from './perimeter.ts'

/** Answers a browser's question whether a page of another origin may send a request. */
export function preflight(request: Request, { foreignOrigin }: Place): Response {
  // Without this, a page on the internet could reach a server in this network.
  if (
    foreignOrigin === undefined ||
    request.headers.has('access-control-request-private-network') ||
    request.headers.has('access-control-request-local-network')
  ) {
    throw new HttpError('origin_not_allowed', 'Other pages may not use this server.')
  }
  // Clients of model APIs send headers of their own. Cookies are not accepted from other origins.
  const headers = request.headers.get('access-control-request-headers') ?? ''
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers': /^[a-z0-9-, ]*$/i.test(headers) ? headers : '',
      'access-control-max-age': '600',
    },
  })
}

/** Lets pages of one configured origin read a response: with a token, never with a cookie. */
export function corsHeaders(origin: string): Readonly<Record<string, string>> {
  return { 'access-control-allow-origin': origin, vary: 'origin' }
}
