import { invisibleIn } from '../path/invisible.ts'
import { canonicalAddress } from './address.ts'

/** An `http:` or `https:` URL, parsed as browsers do. */
export interface Address {
  readonly url: URL
  /** In lower-case ASCII, without a trailing dot; an IPv6 address without brackets. */
  readonly host: string
  readonly isIp: boolean
  /** The port is not the default one of `http` or `https`. */
  readonly customPort: boolean
  /** Why its host may not be what it looks like. No rule allows it then. */
  readonly caution?: string
}

/** Parses a URL; or a phrase that says why it is refused, to be put after "the address". What programs parse differently is refused. */
export function readUrl(text: string): Address | string {
  if (text.length > LONGEST) return 'is too long'
  if (text.includes('\\')) return 'contains "\\", which programs interpret differently'
  if (text.includes(' ')) return 'contains a space'
  const invisible = invisibleIn(text)
  if (invisible !== undefined) return `contains ${invisible}`
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url) return 'is not a complete URL such as https://example.org/'
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return `uses ${url.protocol} instead of https: or http:`
  const written = authorityOf(text)
  if (written === undefined) return 'has no host after "//"'
  if (url.username !== '' || url.password !== '' || written.includes('@'))
    return 'has a user name before the host'
  const host = hostOf(url)
  if (host === undefined) return 'has an invalid host'
  const caution =
    !isAscii(written) && !host.includes('xn--')
      ? `the host is written in other letters than ${host}`
      : undefined
  return { url, host, isIp: isIp(host), customPort: url.port !== '', caution: caution || undefined }
}

/** Servers refuse longer URLs. */
const LONGEST = 8192

/** The text between `//` and the path. */
function authorityOf(text: string): string | undefined {
  const from = text.indexOf('://')
  if (from < 0) return undefined
  const rest = text.slice(from + 3)
  const end = rest.search(/[/?#]/)
  const authority = end < 0 ? rest : rest.slice(0, end)
  return authority === '' ? undefined : authority
}

function hostOf(url: URL): string | undefined {
  const name = url.hostname
  if (name.startsWith('[')) return canonicalAddress(name.slice(1, -1))
  const host = name.endsWith('.') ? name.slice(0, -1) : name
  const labels = host.split('.')
  const fits = host.length <= 253 && labels.every((label) => label !== '' && label.length <= 63)
  return fits ? host : undefined
}

/** Whether a parsed host is an IP address: four numbers, or anything with colons. */
export function isIp(host: string): boolean {
  return host.includes(':') || /^[0-9]+\.[0-9]+\.[0-9]+\.[0-9]+$/.test(host)
}

function isAscii(text: string): boolean {
  return /^[!-~]*$/.test(text)
}
