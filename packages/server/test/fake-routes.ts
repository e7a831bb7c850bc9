import type { Route } from '../src/route.ts'

/** A fake gateway route, with its own error format and a custom handler. */
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
