import type { GatewayReport } from './gateway/report.ts'

/** What a token may be used for. `all` includes everything. */
export type Scope = 'all' | 'gateway' | 'metrics'

/** Whose request it is. */
export interface Principal {
  /** The name of the token. */
  readonly name: string
  readonly scopes: readonly Scope[]
  /** How it was presented. */
  readonly by: 'bearer' | 'cookie'
}

/** One route of the server. Without `access` it does not compile: who may use a route is never left open by mistake. */
export interface Route {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** The scope that a token needs. `open`: no token, for the page's static files and the login only. */
  readonly access: Scope | 'open'
  /** The maximum size of a request body, in bytes. Default: 1 MiB. */
  readonly maxBody?: number
  /** Writes an error in the shape that this route's clients know. Default: `{ error: { code, message } }`. */
  error?(error: RouteError): object
  handle(request: Request, context: RouteContext): Response | Promise<Response>
}

/** An error, before it is written in a route's own shape. */
export interface RouteError {
  readonly status: number
  readonly code: string
  readonly message: string
}

/** What a route knows about a request besides the request itself. */
export interface RouteContext {
  /** Undefined on open routes. */
  readonly principal: Principal | undefined
  /** Adds to the request's entry in the log what the gateway did. */
  readonly report: (report: GatewayReport) => void
}
