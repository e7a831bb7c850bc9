import type { GatewayReport } from './gateway/report.ts'

/** The scopes that a token can have. */
export const SCOPES = ['all', 'gateway', 'metrics'] as const

/** The scope of a token. `all` includes everything. */
export type Scope = (typeof SCOPES)[number]

/** Where the page shows its views. */
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

/** Every route that answers without a token: the pages' files and the login. A route elsewhere that says `open` is refused. */
export const OPEN_ROUTES: readonly string[] = [
  ...VIEWS.map((path) => `GET ${path}`),
  'GET /favicon.svg',
  'GET /assets/:file',
  'GET /api/docs',
  'GET /api/docs.css',
  'GET /api/docs.js',
  'POST /api/login',
]

/** Whose request it is. */
export interface Principal {
  /** The name of the token. */
  readonly name: string
  readonly scopes: readonly Scope[]
  /** How it was presented. */
  readonly by: 'bearer' | 'cookie'
}

/** The methods that routes answer. */
export type RouteMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** One route of the server. Without `access` it does not compile: who may use a route is never left open by mistake. */
export interface Route {
  /**
   * `GET` changes no file and no setting, and also answers `HEAD`. To list tools, it may start MCP servers that trusted settings
   * name. Methods with a body take JSON only.
   */
  readonly method: RouteMethod
  /** `:name` stands for one segment. */
  readonly path: string
  /** The scope that a token needs. `open`: no token, for the routes in OPEN_ROUTES only. */
  readonly access: Scope | 'open'
  /** The maximum size of a request body, in bytes. Default: the limit `bodySize`. */
  readonly maxBody?: number
  /** It calls `report` once per request, possibly a little after the response has ended. */
  readonly reports?: true
  /** Writes an error in the shape that this route's clients know. Default: problem details. */
  error?(error: RouteError): object
  /** Answers a request. Its body has been read, within its limits; its signal is aborted when the client goes away. */
  handle(request: Request, context: RouteContext): Response | Promise<Response>
}

/** An error, before it is written in a route's own shape. */
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
  /** The segments that its path names, decoded. */
  readonly parameters: Readonly<Record<string, string>>
  /** Whether it may still be answered: a token can be revoked, and a session can end, while a response goes on. */
  readonly isAllowed: () => boolean | Promise<boolean>
  /** The accepted value of `Host`. */
  readonly host: string
  /** Whether a browser reached the server by https. */
  readonly secure: boolean
  /** Adds the gateway's report to the request's entry in the log. */
  readonly report: (report: GatewayReport) => void
}
