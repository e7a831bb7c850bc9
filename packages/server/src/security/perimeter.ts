import { UserError } from '@toolglot/workspace'
import { hostName, originName, quote } from '@toolglot/workspace/internal'
import { VIEWS } from '../route.ts'
import { HttpError } from './http-error.ts'

/** The allowed origins of requests. */
export interface Perimeter {
  /** The accepted values of `Host`, in lower case. */
  readonly hosts: readonly string[]
  /** Origins of other pages that may send requests, such as `https://app.example.com`. */
  readonly origins: readonly string[]
}

/** The origin of an accepted request. */
export interface Place {
  /** The accepted value of `Host`. */
  readonly host: string
  /** True if a browser reached the server by https, for example through a proxy. */
  readonly secure: boolean
  /** The other page's origin, if it is one of `origins`. */
  readonly foreignOrigin?: string
}

/** Checks that the sender is allowed, before the path is considered. Throws an HttpError. */
export function checkPerimeter(request: Request, { hosts, origins }: Perimeter): Place {
  const host = request.headers.get('host')?.toLowerCase()
  // A repeated header is read as "one, other", which is not in the list.
  if (host === undefined || !hosts.includes(host)) {
    throw new HttpError(
      'host_not_allowed',
      'This server does not accept the name in Host. If it should, add the name to the hosts in its settings.',
    )
  }

  const origin = request.headers.get('origin')
  if (origin !== null && origins.includes(origin)) {
    return { host, secure: isSecure(request, origin), foreignOrigin: origin }
  }
  if (origin !== null && origin !== `http://${host}` && origin !== `https://${host}`) {
    throw new HttpError(
      'origin_not_allowed',
      'Pages of this origin may not use this server. If they should, add it to the origins in its settings.',
    )
  }
  // To a browser, other ports of this machine are the same site, so their pages send our cookie.
  const from = request.headers.get('sec-fetch-site')
  if (from !== null && from !== 'same-origin' && from !== 'none' && !opensPage(request)) {
    throw new HttpError(
      'cross_site',
      'Pages elsewhere may not use this server. Open its address yourself.',
    )
  }
  return { host, secure: isSecure(request, origin) }
}

/**
 * True if a browser follows a link to the page, for example from the file created by `toolglot
 * open`. The page itself contains no data, cannot be framed, and is sent without the cookie.
 */
function opensPage({ method, url, headers }: Request): boolean {
  const [, first = ''] = new URL(url).pathname.split('/')
  return (
    method === 'GET' &&
    headers.get('sec-fetch-mode') === 'navigate' &&
    headers.get('sec-fetch-dest') === 'document' &&
    PAGES.includes(first)
  )
}

/** The first path segments of its views. */
const PAGES = VIEWS.map((path) => path.split('/')[1] ?? '')

function isSecure(request: Request, origin: string | null): boolean {
  return (origin ?? request.url).startsWith('https:')
}

/** The values of `Host` that refer to this server. */
export function hostsOf(address: string, port: number, names: readonly string[]): string[] {
  const own = ['127.0.0.1', '[::1]', 'localhost']
  // Pages elsewhere can reach this machine as 0.0.0.0, a name with no legitimate use.
  if (address !== '0.0.0.0' && address !== '::') own.push(authorityOf(address))
  // Browsers omit the default port. A proxy in front of a configured name has its own port.
  const hosts = own.flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]))
  const configured = names.flatMap((name) => [name, `${name}:${port}`])
  return [...new Set([...hosts, ...configured].map((each) => each.toLowerCase()))]
}

/** An IP address in its URL form. */
export function authorityOf(address: string): string {
  return address.includes(':') ? `[${address}]` : address
}

/** Checks the configured names and origins: only exact ones are allowed. Throws a UserError. */
export function checkNames(hosts: readonly string[], origins: readonly string[]): void {
  for (const host of hosts) {
    if (hostName(host) !== undefined) continue
    throw new UserError(
      'data',
      `${quote(host)} is not a host name such as tools.example.com. Write each name in full, without https:// and without *`,
    )
  }
  for (const origin of origins) {
    if (originName(origin) !== undefined) continue
    throw new UserError(
      'data',
      `${quote(origin)} is not an origin such as https://app.example.com. Write each origin in full, without a path and without *`,
    )
  }
}
