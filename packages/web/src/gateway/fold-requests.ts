import type { ApiAnswer } from '@toolglot/server/client'
import type { PageSearch } from '../app/router.tsx'

/** Requests to the gateway, the newest first, and what it did today. */
export type GatewayRequests = ApiAnswer<'GET /api/gateway/requests'>
/** A request to the gateway. */
export type GatewayRequest = GatewayRequests['requests'][number]

/** As many as the server keeps. */
const MAX_KEPT = 200

/** The requests that are known after a message: all that are kept, or those that came or changed. */
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

/** The address without a chosen request. */
export function listAddress({ folder }: PageSearch): PageSearch {
  return folder === undefined ? {} : { folder }
}
