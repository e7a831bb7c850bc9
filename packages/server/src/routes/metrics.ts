import type { Route } from '../route.ts'

/** The route that Prometheus reads. */
export function metricsRoute(metrics: () => string | Promise<string>): Route {
  return {
    method: 'GET',
    path: '/metrics',
    access: 'metrics',
    async handle() {
      return new Response(await metrics(), {
        headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
      })
    },
  }
}
