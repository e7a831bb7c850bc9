import { JournalError } from '@toolglot/agent/journal'
import { Hono } from 'hono'
import { type Connection, watchedConnection } from './connection.ts'
import { type BodyProblem, depthProblem, typeProblem } from './gateway/read-json.ts'
import { missingRoute, nearestRoute, pageInstead } from './missing-route.ts'
import type { Observe } from './observe/access-entry.ts'
import { type RequestLog, startRequestLog } from './request-log.ts'
import { OPEN_ROUTES, type Principal, type Route } from './route.ts'
import { HttpError, PROBLEM_TYPE, problemOf } from './security/http-error.ts'
import { type Limits, createQuota } from './security/limits.ts'
import { type Login, cookieName, cookiesIn } from './security/login.ts'
import { checkPerimeter, type Perimeter, type Place } from './security/perimeter.ts'
import { type BodyMemory, readBody } from './security/read-body.ts'
import { addSecurityHeaders } from './security/response-headers.ts'
import type { SharedTokens } from './security/shared-values.ts'
import type { Tokens } from './security/tokens.ts'

/** The parts of an app. */
export interface AppOptions extends Perimeter {
  readonly routes: readonly Route[]
  readonly tokens: Pick<Tokens | SharedTokens, 'find'>
  readonly login: Pick<Login, 'isValid'>
  readonly limits: Limits
  /** Called when a request arrives. */
  readonly onRequest?: (() => void) | undefined
  /** Called with each request once its response has ended. */
  readonly observe?: Observe | undefined
  /** Called with errors thrown by a route. The client only gets a general error. */
  readonly onError?: ((error: unknown) => void) | undefined
}

/** Answers requests, after checks that apply to every route. */
export interface App {
  readonly fetch: (request: Request, connection?: Connection) => Promise<Response>
  /** The registered route, such as `GET /v1/models`. */
  readonly registered: readonly string[]
}

/** Creates an app. Throws if a route that needs a token is open. */
export function createApp(options: AppOptions): App {
  const { routes, onRequest, observe, onError } = options
  const quota = createQuota(options.limits)
  const memory: BodyMemory = { used: 0 }
  const hono = new Hono<{ Bindings: Connection }>()

  for (const route of routes) {
    const name = `${route.method} ${route.path}`
    if (route.access === 'open' && !OPEN_ROUTES.includes(name)) {
      throw new Error(`The route ${name} is open but not one of OPEN_ROUTES.`)
    }
    hono.on(route.method, route.path, ({ req, env }) => answer(req.raw, env, route))
  }
  hono.notFound(({ req, env }) => answer(req.raw, env, undefined))
  hono.onError((error) => {
    onError?.(error)
    return withHeaders(errorResponse(ownFailure(error), undefined))
  })

  return {
    registered: hono.routes.map(({ method, path }) => `${method} ${path}`),
    async fetch(request, connection) {
      if (connection) return await hono.fetch(request, connection)
      const watched = watchedConnection()
      return watched.watch(await hono.fetch(request, watched))
    },
  }

  /** The only path to a route, and to the error for a missing one. */
  async function answer(
    request: Request,
    connection: Connection,
    route: Route | undefined,
  ): Promise<Response> {
    onRequest?.()
    const log = startRequestLog(request, route, connection, (entry) => {
      try {
        observe?.(entry)
      } catch (error) {
        onError?.(error)
      }
    })
    let response: Response
    try {
      response = await dispatch(request, connection, route, log)
    } catch (thrown) {
      const error = thrown instanceof HttpError ? thrown : ownFailure(thrown)
      // If the client has disconnected, that is the cause of the error.
      if (error !== thrown && !request.signal.aborted) onError?.(thrown)
      log.error = error.code
      response = errorResponse(error, route ?? nearestRoute(request, routes))
    }
    log.status = response.status
    const { foreignOrigin } = log.place ?? {}
    response = withHeaders(response, foreignOrigin === undefined ? {} : corsHeaders(foreignOrigin))
    if (request.method !== 'HEAD') return response
    await response.body?.cancel()
    return new Response(null, response)
  }

  async function dispatch(
    request: Request,
    connection: Connection,
    found: Route | undefined,
    log: RequestLog,
  ): Promise<Response> {
    const place = checkPerimeter(request, options)
    log.place = place
    const tooLong = urlProblem(request.url, options.limits)
    const page = tooLong || !found ? pageInstead(request, found, routes) : undefined
    if (tooLong && !page) throw tooLong
    const route = page ?? found
    if (request.method === 'OPTIONS' && request.headers.has('access-control-request-method')) {
      return preflight(request, place)
    }

    const principal =
      route?.access === 'open' ? undefined : await authenticate(request, place, options)
    if (principal) {
      log.principal = principal
      if (!connection.trust(principal.name)) throw tooManyConnections()
    }
    if (!route) throw missingRoute(request, routes)
    if (principal) {
      checkScope(principal, route)
      checkForgery(principal, request)
      log.atEnd(quota.enter(principal.name))
    }

    const response = await route.handle(await requestFor(request, route, log), {
      principal,
      isAllowed: async () => !principal || isAuthenticated(request, place, options),
      parameters: pathParameters(route.path, request.url),
      host: place.host,
      secure: place.secure,
      report: log.report,
    })
    if (!page) return response
    const { status, code } = tooLong ?? missingRoute(request, routes)
    log.error = code
    return new Response(response.body, { status, headers: response.headers })
  }

  /** The request as passed to a route: its body has been read. */
  async function requestFor(request: Request, route: Route, log: RequestLog): Promise<Request> {
    const { url, method, headers, signal } = request
    if (route.method === 'GET' || route.method === 'DELETE') return request
    throwIf(typeProblem(headers.get('content-type')))
    const max = route.maxBody ?? options.limits.bodySize
    const { bytes, release } = await readBody(request, max, memory, options.limits)
    log.atEnd(release)
    throwIf(depthProblem(options.limits.jsonDepth, bytes))
    const read = new Request(url, { method, headers, body: bytes })
    // A Request's own signal stops following its source once the Request is garbage-collected.
    return Object.defineProperty(read, 'signal', { value: signal })
  }
}

function urlProblem(url: string, { urlSize }: Limits): HttpError | undefined {
  const { pathname, search } = new URL(url)
  if (pathname.length + search.length <= urlSize) return undefined
  return new HttpError('url_too_long', `The URL is too long. The limit is ${urlSize} characters.`)
}

async function authenticate(
  request: Request,
  { host, secure, foreignOrigin }: Place,
  { tokens, login }: AppOptions,
): Promise<Principal> {
  const presented = presentedToken(request.headers)
  if (presented !== undefined) {
    const found = await tokens.find(presented)
    if (found) return { name: found.name, scopes: found.scopes, by: 'bearer' }
    throw unauthorized('The token is not valid.')
  }
  const cookies = foreignOrigin === undefined ? request.headers.get('cookie') : null
  for (const name of [cookieName(host, secure), cookieName(host, !secure)]) {
    for (const session of cookiesIn(cookies, name))
      if (await login.isValid(session, name)) return { name: 'main', scopes: ['all'], by: 'cookie' }
  }
  throw unauthorized('The request has no token.')
}

async function isAuthenticated(...words: Parameters<typeof authenticate>): Promise<boolean> {
  try {
    await authenticate(...words)
    return true
  } catch {
    return false
  }
}

function unauthorized(message: string): HttpError {
  return new HttpError(
    'unauthorized',
    `${message} Send one as "Authorization: Bearer" or x-api-key; "toolglot token" prints it.`,
    { headers: { 'www-authenticate': 'Bearer realm="toolglot"' } },
  )
}

function tooManyConnections(): HttpError {
  return new HttpError(
    'rate_limited',
    'This token has too many open connections. Close some, or reuse them.',
    { headers: { 'retry-after': '1' } },
  )
}

function checkScope({ scopes }: Principal, { access }: Route): void {
  if (scopes.some((scope) => scope === 'all' || scope === access)) return
  throw new HttpError('scope_insufficient', `This route needs a token with the scope "${access}".`)
}

/** Other pages can make a browser send its cookies, but not our custom header. */
function checkForgery({ by }: Principal, { method, headers }: Request): void {
  if (by !== 'cookie' || method === 'GET' || method === 'HEAD' || headers.has('x-toolglot')) return
  throw new HttpError('csrf', 'A request with a cookie also needs the header x-toolglot.')
}

function throwIf(problem: BodyProblem | undefined): void {
  if (problem) throw new HttpError(problem.code, problem.message)
}

/** Contains only public information. */
function ownFailure(thrown: unknown): HttpError {
  if (!(thrown instanceof JournalError))
    return new HttpError('internal_error', 'The server failed. See its log.')
  return new HttpError(
    'storage_failed',
    'The server cannot use its journal, which stores tokens, logins and earlier responses. See its log.',
    { action: 'Try again later.', headers: { 'retry-after': '5' } },
  )
}

function errorResponse(error: HttpError, route: Route | undefined): Response {
  const { status, code, message, action, members } = error
  const shaped = route?.error?.({ status, code, message })
  const problem = shaped ?? problemOf({ status, code, message, action, members })
  const body = Buffer.from(JSON.stringify(problem))
  return new Response(body, {
    status,
    headers: {
      ...error.headers,
      'content-type': shaped ? 'application/json' : PROBLEM_TYPE,
      'content-length': String(body.byteLength),
    },
  })
}

function withHeaders(response: Response, headers?: Readonly<Record<string, string>>): Response {
  // The headers of a fetched response are immutable, so it is copied.
  const own = new Response(response.body, response)
  for (const name in headers) own.headers.set(name, headers[name]!)
  addSecurityHeaders(own.headers)
  return own
}

/**
 * The decoded values of the `:name` segments in a path. Throws an HttpError if a segment is not
 * valid text.
 */
function pathParameters(path: string, url: string): Readonly<Record<string, string>> {
  const segments = new URL(url).pathname.split('/')
  return Object.fromEntries(
    path
      .split('/')
      .flatMap((name, at) =>
        name.startsWith(':') ? [[name.slice(1), decoded(segments[at] ?? '')]] : [],
      ),
  )
}

function decoded(segment: string): string {
  let text: string | undefined
  try {
    text = decodeURIComponent(segment)
  } catch {
    text = undefined
  }
  // oxlint-disable-next-line no-control-regex
  if (text !== undefined && !/[\u0000-\u001f\u007f]/.test(text)) return text
  throw new HttpError('invalid_target', 'The path must be UTF-8 without control characters.')
}

/** Answers a browser's preflight request about a page of another origin. */
function preflight(request: Request, { foreignOrigin }: Place): Response {
  // Without this check, a page on the internet could reach a server in this network.
  if (
    foreignOrigin === undefined ||
    request.headers.has('access-control-request-private-network') ||
    request.headers.has('access-control-request-local-network')
  ) {
    throw new HttpError('origin_not_allowed', 'Pages of this origin may not use this server.')
  }
  // Clients of model APIs send custom headers. Cookies are not accepted from other origins.
  const headers = request.headers.get('access-control-request-headers') ?? ''
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers': /^[a-z0-9-, ]*$/i.test(headers) ? headers : '',
      'access-control-max-age': '600',
    },
  })
}

/** Lets pages of one configured origin read a response, with a token but never with a cookie. */
function corsHeaders(origin: string): Readonly<Record<string, string>> {
  return { 'access-control-allow-origin': origin, vary: 'origin' }
}

/**
 * The token in `Authorization: Bearer` or `x-api-key`: undefined without these headers, and empty
 * if the header contains something else. Throws an HttpError if there are several tokens.
 */
function presentedToken(headers: Headers): string | undefined {
  const authorization = headers.get('authorization')
  const key = headers.get('x-api-key')
  // A repeated header is read as "one, other". No token contains a comma.
  if (authorization?.includes(',') || key?.includes(',')) throw severalTokens()
  const bearer = authorization === null ? undefined : bearerOf(authorization)
  if (bearer !== undefined && key !== null && bearer !== key) throw severalTokens()
  return bearer ?? key ?? undefined
}

function bearerOf(authorization: string): string {
  const scheme = 'bearer '
  return authorization.slice(0, scheme.length).toLowerCase() === scheme
    ? authorization.slice(scheme.length)
    : ''
}

function severalTokens(): HttpError {
  return new HttpError(
    'several_tokens',
    'The request has more than one token. Send one, in Authorization or in x-api-key.',
  )
}
