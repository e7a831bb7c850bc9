import type { Endpoint } from './endpoint.ts'
import * as routes from './routes/index.ts'

/** Every endpoint of the API. */
export const endpoints: readonly Endpoint[] = Object.values(routes)

/** The types of all endpoints, for clients. */
export type AnyEndpoint = (typeof routes)[keyof typeof routes]
