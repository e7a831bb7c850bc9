import { invisibleIn } from '../path/invisible.ts'
import { canonicalAddress } from './address.ts'

/** An address on the web, read as browsers read it. */
export interface Address {
  readonly url: URL
  /** In ASCII and lower case, without a point at its end; an IPv6 address without brackets. */
  readonly host: string
  readonly isIp: boolean
  /** It is not the port that goes with `http` or `https`. */
  readonly customPort: boolean
  /** Why its host is not what it looks like: then nothing allows it. */
  readonly doubt?: string
}

/** An address that may be looked at; or why none should be. What other programs read otherwise is refused. */
export function readUrl(text: string): Address | string {
  if (text.length > LONGEST) return 'it is too long for an address'
  if (text.includes('\\')) return 'it contains "\\", which programs read differently'
  if (text.includes(' ')) return 'it contains a space'
  const odd = invisibleIn(text)
  if (odd !== undefined) return `it contains ${odd}`
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url) return 'it is no whole address such as https://example.org/'
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return `${url.protocol} is neither https: nor http:`
  const written = authorityOf(text)
  if (written === undefined) return 'it has no host behind "//"'
  if (url.username !== '' || url.password !== '' || written.includes('@'))
    return 'it names a user before the host'
  const host = hostOf(url)
  if (host === undefined) return 'its host is none'
  const doubt =
    !isAscii(written) && !host.includes('xn--')
      ? `its host is written in other letters than ${host}`
      : undefined
  return { url, host, isIp: isIp(host), customPort: url.port !== '', ...(doubt && { doubt }) }
}

/** Servers refuse longer ones. */
const LONGEST = 8192

/** What stands between `//` and the path. */
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

/** Hosts come out of the reader in one form: four numbers, or one with colons. */
export function isIp(host: string): boolean {
  return host.includes(':') || /^[0-9]+\.[0-9]+\.[0-9]+\.[0-9]+$/.test(host)
}

function isAscii(text: string): boolean {
  return /^[!-~]*$/.test(text)
}
