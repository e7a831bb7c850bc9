import type { ApiAnswer } from '@toolglot/server/client'
import type { PageSearch } from '../app/router.tsx'

/** Requests to the gateway, newest first, and today's totals. */
export type GatewayRequests = ApiAnswer<'GET /api/gateway/requests'>
/** A request to the gateway. */
export type GatewayRequest = GatewayRequests['requests'][number]

/** The same limit as on the server. */
const MAX_KEPT = 200

/**
 * The list of requests after a message, which contains all requests or only new and changed ones.
 */
export function foldRequests(
  known: GatewayRequests | undefined,
  message: GatewayRequests,
): GatewayRequests {
  if (message.all || !known) return message
  const changed = new Map(message.requests.map((request) => [request.id, request]))
  const old = known.requests.map((request) => {
    const next = changed.get(request.id)
    changed.delete(request.id)
    return next ?? request
  })
  return { ...message, all: true, requests: [...changed.values(), ...old].slice(0, MAX_KEPT) }
}

/** The address without the selected request. */
export function listAddress({ folder }: PageSearch): PageSearch {
  return folder === undefined ? {} : { folder }
}
