import type { Api } from './api.ts'
import type { GatewayError } from './gateway-error.ts'

/** An error as a response, in the shape of an API. */
export function errorResponse({ error }: Pick<Api, 'error'>, problem: GatewayError): Response {
  const { status, retryAfter } = problem
  const headers = new Headers()
  if (retryAfter !== undefined) headers.set('retry-after', String(Math.ceil(retryAfter / 1000)))
  return Response.json(error(problem), { status, headers })
}
