import type { GatewayReport } from './gateway/report.ts'

/** The scopes that a token can have. */
export const SCOPES = ['all', 'gateway', 'metrics'] as const

/** The scope of a token. `all` includes all other scopes. */
export type Scope = (typeof SCOPES)[number]

/** The paths of the page's views. */
export const VIEWS: readonly string[] = [
  '/',
  '/chat',
  '/chats/:run',
  '/tools',
  '/sandbox',
  '/parser',
  '/runs',
  '/runs/:run',
  '/statistics',
  '/gateway',
  '/settings',
  '/settings/:page',
]

/**
 * All routes that don't need a token: the pages' files and the login. Any other route with access
 * `open` is refused.
 */
export const OPEN_ROUTES: readonly string[] = [
  ...VIEWS.map((path) => `GET ${path}`),
  'GET /favicon.svg',
  'GET /assets/:file',
  'GET /api/docs',
  'GET /api/docs.css',
  'GET /api/docs.js',
  'POST /api/login',
]

/** The authenticated client of a request. */
export interface Principal {
  /** The name of the token. */
  readonly name: string
  readonly scopes: readonly Scope[]
  /** The way the token was presented. */
  readonly by: 'bearer' | 'cookie'
}

/** The methods of routes. */
export type RouteMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * One route of the server. `access` is required by the type, so that no route is open by mistake.
 */
export interface Route {
  /**
   * `GET` routes change no files or settings, and also answer `HEAD`. To list tools, they may start
   * MCP servers from trusted settings. Methods with a body accept only JSON.
   */
  readonly method: RouteMethod
  /** `:name` matches one segment. */
  readonly path: string
  /** The scope that a token needs. `open`: no token, only for the routes in OPEN_ROUTES. */
  readonly access: Scope | 'open'
  /** The maximum size of a request body, in bytes. Default: the limit `bodySize`. */
  readonly maxBody?: number
  /** The route calls `report` once per request, possibly shortly after the response has ended. */
  readonly reports?: true
  /** Writes an error in the format of this route's clients. Default: problem details. */
  error?(error: RouteError): object
  /**
   * Answers a request. Its body has been read, within its limits; its signal aborts when the client
   * disconnects.
   */
  handle(request: Request, context: RouteContext): Response | Promise<Response>
}

/** An error, independent of the route's format. */
export interface RouteError {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly action?: string | undefined
  readonly members?: Readonly<Record<string, unknown>>
}

/** The context of a request. */
export interface RouteContext {
  /** Undefined on open routes. */
  readonly principal: Principal | undefined
  /** The decoded values of the `:name` segments. */
  readonly parameters: Readonly<Record<string, string>>
  /**
   * True while the client may receive data: during a response its token can be revoked, or its
   * session can end.
   */
  readonly isAllowed: () => boolean | Promise<boolean>
  /** The accepted value of `Host`. */
  readonly host: string
  /** True if a browser uses https. */
  readonly secure: boolean
  /** Adds the gateway's report to the request's entry in the log. */
  readonly report: (report: GatewayReport) => void
}
