import { ToolError } from '@toolglot/agent'
import { closedBy, isLocalName, readUrl } from '@toolglot/permissions/internal'

/** The page that a text names, as it will be asked for: by https where the open internet is meant. */
export function readPageAddress(text: string): URL {
  const read = readUrl(text)
  if (typeof read === 'string')
    throw new ToolError(
      'invalid_input',
      `This address is not fetched: ${read}. Expected a whole address such as https://example.org/page.`,
      { code: 'invalid_url' },
    )
  const url = new URL(read.url)
  url.hash = ''
  if (url.hostname.endsWith('.')) url.hostname = read.host
  const isOpen = read.isIp ? closedBy(read.host) === undefined : !isLocalName(read.host)
  if (url.protocol === 'http:' && isOpen && !namesPort(text)) url.protocol = 'https:'
  return url
}

/** The reader leaves a port out that is the usual one; whoever wrote it meant it. */
function namesPort(text: string): boolean {
  return /^[a-z]+:\/\/[^/?#]*:[0-9]+([/?#]|$)/i.test(text)
}

/** The same server, at the same port. */
export function isSameHost(one: URL, other: URL): boolean {
  return one.hostname === other.hostname && one.port === other.port
}
