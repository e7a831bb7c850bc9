import type { Gateway } from '../gateway/gateway.ts'
import type { Route } from '../route.ts'
import type { Limits } from '../security/limits.ts'

/** The gateway's routes as routes of the server. */
export function gatewayRoutes(gateway: Gateway, { gatewayBodySize }: Limits): Route[] {
  return gateway.routes.map((route) => ({
    method: route.method,
    path: route.path,
    access: 'gateway',
    maxBody: gatewayBodySize,
    // Lists of models are not reported.
    ...(route.method === 'POST' && { reports: true }),
    error: (error) => route.error(error),
    handle: (request, { principal, report }) =>
      route.handle(request, { owner: principal?.name ?? '', onReport: report }),
  }))
}
