import { METHODS } from './methods.ts'
import { type Route, VIEWS } from './route.ts'
import { HttpError } from './security/http-error.ts'

/** The base URLs of clients of model APIs end in this. */
const API = '/v1'

const LIST = new Intl.ListFormat('en-GB')

/**
 * The error for an unhandled request: there is nothing at its path, or only other methods are
 * supported.
 */
export function missingRoute({ url, method }: Request, routes: readonly Route[]): HttpError {
  const { pathname } = new URL(url)
  const here = routes.filter((route) => isAt(route, pathname))
  if (here.length === 0) {
    const hint = hintFor(pathname, routes)
    return new HttpError('not_found', `This path does not exist.${hint && ` ${hint}`}`)
  }
  const methods = here.flatMap((route) =>
    route.method === 'GET' ? ['GET', 'HEAD'] : [route.method],
  )
  const allow = [...new Set(methods)].join(', ')
  return new HttpError(
    'method_not_allowed',
    `This path supports ${allow}, not ${METHODS.has(method) ? method : 'that method'}.`,
    { headers: { allow } },
  )
}

/**
 * The route most similar to the path of an unhandled request. The error is written in its format.
 */
export function nearestRoute({ url }: Request, routes: readonly Route[]): Route | undefined {
  const { pathname } = new URL(url)
  const here = routes.find((route) => isAt(route, pathname))
  return (
    here ?? (isUnder(API, pathname) ? routes.find(({ path }) => isUnder(API, path)) : undefined)
  )
}

/**
 * The page instead of an error, for a browser at an unknown or overlong address: the page explains
 * the problem. Undefined for possible API clients, which need an error.
 */
export function pageInstead(
  { method, url, headers }: Request,
  route: Route | undefined,
  routes: readonly Route[],
): Route | undefined {
  const isNavigation =
    method === 'GET' &&
    headers.get('sec-fetch-mode') === 'navigate' &&
    headers.get('sec-fetch-dest') === 'document'
  if (!isNavigation) return undefined
  const { pathname } = new URL(url)
  const isOfView = route ? VIEWS.includes(route.path) : !isOfClient(pathname, routes)
  return isOfView ? routes.find(({ path }) => path === VIEWS[0]) : undefined
}

/** True if a path is under an API, even if it is incomplete. */
function isOfClient(pathname: string, routes: readonly Route[]): boolean {
  return (
    [API, '/api', '/assets'].some((folder) => isUnder(folder, pathname)) ||
    routes.some((route) => isAt(route, pathname) || isAt(route, API + pathname))
  )
}

function hintFor(pathname: string, routes: readonly Route[]): string {
  const offered = routes.filter(({ path }) => isUnder(API, path))
  if (isUnder(API, pathname)) {
    const names = offered
      .filter(({ path }) => !path.endsWith('*'))
      .map(({ method, path }) => `${method} ${path}`)
    return names.length === 0 ? '' : `${LIST.format(names)} are there.`
  }
  const isWithoutApi = offered.some((route) => isAt(route, API + pathname))
  return isWithoutApi ? `The base URL ends in ${API}.` : ''
}

function isAt({ path }: Route, pathname: string): boolean {
  if (path.endsWith('*')) return pathname.startsWith(path.slice(0, -1))
  const segments = pathname.split('/')
  const own = path.split('/')
  return (
    own.length === segments.length &&
    own.every((each, at) => (each.startsWith(':') ? segments[at] !== '' : each === segments[at]))
  )
}

function isUnder(folder: string, pathname: string): boolean {
  return pathname === folder || pathname.startsWith(`${folder}/`)
}
