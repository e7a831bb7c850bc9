import { ToolError } from '@toolglot/agent'
import { isLocalName, notPublic, readUrl } from '@toolglot/permissions/internal'

/** Parses the URL of a page. Public hosts are requested through https. */
export function readPageAddress(text: string): URL {
  const read = readUrl(text)
  if (typeof read === 'string')
    throw new ToolError(
      'invalid_input',
      `The URL ${read}. Use a URL such as https://example.org/page.`,
      { code: 'invalid_url' },
    )
  const url = new URL(read.url)
  url.hash = ''
  if (url.hostname.endsWith('.')) url.hostname = read.host
  const isOpen = read.isIp ? notPublic(read.host) === undefined : !isLocalName(read.host)
  if (url.protocol === 'http:' && isOpen && !namesPort(text)) url.protocol = 'https:'
  return url
}

/**
 * True if the URL contains a port explicitly. `URL` drops the default port, but here an explicit
 * port means that http is intended.
 */
function namesPort(text: string): boolean {
  return /^[a-z]+:\/\/[^/?#]*:[0-9]+([/?#]|$)/i.test(text)
}

/** True if two URLs have the same host and port. */
export function isSameHost(one: URL, other: URL): boolean {
  return one.hostname === other.hostname && one.port === other.port
}

/** The URL of the raw file shown on a GitHub page; undefined if it shows no file. */
export function rawOnGithub(url: URL): URL | undefined {
  if (url.origin !== 'https://github.com') return undefined
  const [, owner, repository, kind, ...rest] = url.pathname.split('/')
  if (kind !== 'blob' || rest.length < 2 || rest.includes('')) return undefined
  return new URL(`https://raw.githubusercontent.com/${owner}/${repository}/${rest.join('/')}`)
}
