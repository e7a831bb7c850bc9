import type { Gateway } from '../gateway/gateway.ts'
import type { AccessEntry } from '../observe/access-entry.ts'
import type { GatewayFeed } from '../requests/gateway-feed.ts'
import type { Route } from '../route.ts'
import type { Limits } from '../security/limits.ts'

/** The gateway's routes as routes of the server. Their requests also appear in the feed. */
export function gatewayRoutes(
  gateway: Gateway,
  { gatewayBodySize }: Limits,
  feed?: Pick<GatewayFeed, 'start'>,
): Route[] {
  return gateway.routes.map((route) => ({
    method: route.method,
    path: route.path,
    access: 'gateway',
    maxBody: gatewayBodySize,
    // Lists of models are not reported.
    reports: route.method === 'POST' || undefined,
    error: (error) => route.error(error),
    handle(request, { principal, report }) {
      const owner = principal?.name ?? ''
      if (!feed || route.api === undefined)
        return route.handle(request, { owner, onReport: report })
      const userAgent = request.headers.get('user-agent')
      const seen = feed.start({ api: route.api, userAgent, token: owner })
      return route.handle(request, {
        owner,
        onRead: seen.read,
        onReport(told) {
          report(told)
          seen.end(told)
        },
      })
    },
  }))
}

/**
 * Adds authenticated requests to the feed that were refused before they reached the gateway, such
 * as those that are too large.
 */
export function observeRefusals(
  gateway: Gateway,
  feed: Pick<GatewayFeed, 'refuse'>,
): (entry: AccessEntry) => void {
  const apis = new Map(gateway.routes.map(({ path, api }) => [path, api]))
  return ({ time, route, token, error, duration, gateway: report }) => {
    const api = apis.get(route)
    if (api === undefined || token === undefined || error === undefined || report) return
    feed.refuse({ api, token, time }, { outcome: 'error', error, duration })
  }
}
