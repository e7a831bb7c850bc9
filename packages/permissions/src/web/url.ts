// Folder: URLs in rules.
import { invisibleIn } from '../path/invisible.ts'
import { canonicalAddress } from './address.ts'
import { ANY_NAME, DEEP, type Glob, relationOf, type Name } from '../path/glob.ts'
import { readName } from '../path/pattern.ts'

/** An `http:` or `https:` URL, parsed as browsers do. */
export interface Address {
  readonly url: URL
  /** The host in lower-case ASCII, without a trailing dot. IPv6 addresses have no brackets. */
  readonly host: string
  readonly isIp: boolean
  /** True if the port is not the default for `http` or `https`. */
  readonly customPort: boolean
  /** The reason why the host may differ from its appearance. If set, no rule allows it. */
  readonly caution?: string
}

/**
 * Parses a URL. If it is invalid, or programs parse it differently, returns the reason as a phrase
 * that follows "the address".
 */
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

/** The maximum length of a URL. Servers refuse longer ones. */
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

/** True if a parsed host is an IP address: four numbers, or any text with colons. */
function isIp(host: string): boolean {
  return host.includes(':') || /^[0-9]+\.[0-9]+\.[0-9]+\.[0-9]+$/.test(host)
}

function isAscii(text: string): boolean {
  return /^[!-~]*$/.test(text)
}

/** The pattern of a domain rule: `domain:go.dev`, `domain:*.example.org`, `domain:*`. */
export interface DomainPattern {
  /** The exact host; undefined if the pattern has a wildcard. */
  readonly host?: string
  /** The labels of the host, in order. */
  readonly glob: Glob
}

const PREFIX = 'domain:'

/** The pattern of a domain rule, or a sentence that describes its problem. */
export function readDomainPattern(pattern: string): DomainPattern | string {
  if (!pattern.startsWith(PREFIX))
    return 'The pattern must be "domain:" and a host, such as domain:go.dev.'
  const text = pattern.slice(PREFIX.length)
  if (text === '') return 'There is no host after "domain:".'
  if (invisibleIn(text) !== undefined || /[\s\\]/.test(text)) return `${text} is not a valid host.`
  if (text.includes('://')) return 'Write only the host, without "https://".'
  if (/[/?#]/.test(text)) return 'Write only the host, without a path.'
  if (text.includes('@')) return 'Write only the host, without a user name.'
  return text.includes('*') ? readWild(text) : readPlain(text)
}

function readPlain(text: string): DomainPattern | string {
  const address = readUrl(`https://${text}/`)
  if (typeof address === 'string') return `${text} is not a valid host.`
  if (address.customPort || /:[0-9]*$/.test(text.replace(/^\[[^\]]*\]/, '')))
    return 'Write only the host, without a port. Rules cover the default port.'
  return { host: address.host, glob: labelsOf(address.host, address.isIp) }
}

/** A leading `*` matches one or more labels; elsewhere, `*` matches within its label. */
function readWild(text: string): DomainPattern | string {
  const labels = (text.endsWith('.') ? text.slice(0, -1) : text).toLowerCase().split('.')
  if (labels.some((label) => label === '')) return `${text} has an empty label.`
  if (
    labels.every((label) => /^[0-9*]+$/.test(label)) &&
    labels.some((label) => /[0-9]/.test(label))
  )
    return 'IP addresses cannot have wildcards. List each address.'
  const glob: Name[] = []
  for (const [at, label] of labels.entries()) {
    if (label === '*') {
      if (at === 0) glob.push(DEEP)
      glob.push(ANY_NAME)
    } else if (label.includes('**')) return 'Write "*" instead of "**" in a host.'
    else if (label.includes('*')) {
      if (!/^[a-z0-9_*-]+$/.test(label)) return `${label} is not a valid part of a host.`
      const read = readName(label)
      if ('problem' in read) return read.problem
      glob.push(read.name)
    } else {
      const plain = readUrl(`https://${label}.example/`)
      if (typeof plain === 'string' || plain.isIp) return `${label} is not a valid part of a host.`
      glob.push(plain.host.split('.')[0]!)
    }
  }
  return { glob }
}

function labelsOf(host: string, whole: boolean): string[] {
  return whole ? [host] : host.split('.')
}

/**
 * True if an allow rule covers this host, exactly or by a wildcard. Wildcards don't cover IP
 * addresses.
 */
export function allowsHost(pattern: DomainPattern, host: string): boolean {
  if (pattern.host !== undefined) return pattern.host === host
  return !isIp(host) && relationOf(pattern.glob, labelsOf(host, false)) === 'whole'
}

/** True if a deny or ask rule covers this host, including subdomains. */
export function forbidsHost(pattern: DomainPattern, host: string): boolean {
  if (isIp(host)) return pattern.host === host || isEverything(pattern)
  return relationOf([DEEP, ...pattern.glob], labelsOf(host, false)) === 'whole'
}

/** True for `domain:*`. */
function isEverything({ glob }: DomainPattern): boolean {
  return glob.length === 2 && glob[1] === ANY_NAME
}
