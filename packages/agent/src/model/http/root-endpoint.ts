import { type Endpoint, parseEndpoint } from './endpoint.ts'

/** The address of a server without the `/v1` of its chat API. */
export function rootEndpoint(url: string): Endpoint {
  const { display, isLoopback } = parseEndpoint(url)
  const root = display.replace(/\/v1$/, '')
  const { search } = new URL(url)
  return { display: root, isLoopback, urlOf: (path) => `${root}/${path}${search}` }
}
