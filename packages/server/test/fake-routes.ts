import type { Route } from '../src/route.ts'

/** Stands in for a route of the gateway: errors in another shape, and a handler of the test's choice. */
export function fakeRoute(route: Partial<Route> = {}): Route {
  return {
    method: 'POST',
    path: '/v1/echo',
    access: 'gateway',
    error: ({ code, message }) => ({ error: { type: 'fake', code, message } }),
    handle: async (request) => new Response(await request.text()),
    ...route,
  }
}
