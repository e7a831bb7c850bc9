import { ANY_NAME, DEEP, type Glob, relationOf, type Name } from '../path/glob.ts'
import { invisibleIn } from '../path/invisible.ts'
import { readName } from '../path/read-name.ts'
import { isIp, readUrl } from './url.ts'

/** The pattern of a domain rule: `domain:go.dev`, `domain:*.example.org`, `domain:*`. */
export interface DomainPattern {
  /** The host it names to the letter; undefined where it has a wildcard. */
  readonly host?: string
  /** The labels of the host, in order. */
  readonly glob: Glob
}

const PREFIX = 'domain:'

/** The pattern of a domain rule; or what is wrong with it. */
export function readDomainPattern(pattern: string): DomainPattern | string {
  if (!pattern.startsWith(PREFIX)) return 'Expected "domain:" and a host, such as domain:go.dev.'
  const text = pattern.slice(PREFIX.length)
  if (text === '') return 'Expected a host behind "domain:".'
  if (invisibleIn(text) !== undefined || /[\s\\]/.test(text)) return `Expected a host, got ${text}.`
  if (text.includes('://')) return 'Write the host alone: without "https://".'
  if (/[/?#]/.test(text)) return 'A domain has no path: write the host alone.'
  if (text.includes('@')) return 'Write the host alone: without a user.'
  return text.includes('*') ? readWild(text) : readPlain(text)
}

function readPlain(text: string): DomainPattern | string {
  const address = readUrl(`https://${text}/`)
  if (typeof address === 'string') return `${text} is no host: ${address}.`
  if (address.customPort || /:[0-9]*$/.test(text.replace(/^\[[^\]]*\]/, '')))
    return 'A domain has no port: an allowed host is reached at its usual one.'
  return { host: address.host, glob: labelsOf(address.host, address.isIp) }
}

/** `*` at the beginning is any labels, at least one; elsewhere it stays in its label. */
function readWild(text: string): DomainPattern | string {
  const labels = (text.endsWith('.') ? text.slice(0, -1) : text).toLowerCase().split('.')
  if (labels.some((label) => label === '')) return `${text} has an empty label.`
  if (
    labels.every((label) => /^[0-9*]+$/.test(label)) &&
    labels.some((label) => /[0-9]/.test(label))
  )
    return 'Addresses have no wildcards: name each.'
  const glob: Name[] = []
  for (const [at, label] of labels.entries()) {
    if (label === '*') {
      if (at === 0) glob.push(DEEP)
      glob.push(ANY_NAME)
    } else if (label.includes('**')) return '"**" means nothing in a host: write "*".'
    else if (label.includes('*')) {
      if (!/^[a-z0-9_*-]+$/.test(label)) return `${label} is no part of a host.`
      const read = readName(label)
      if ('problem' in read) return read.problem
      glob.push(read.name)
    } else {
      const plain = readUrl(`https://${label}.example/`)
      if (typeof plain === 'string' || plain.isIp) return `${label} is no part of a host.`
      glob.push(plain.host.split('.')[0]!)
    }
  }
  return { glob }
}

function labelsOf(host: string, whole: boolean): string[] {
  return whole ? [host] : host.split('.')
}

/** Whether a rule that allows means this host: to the letter, or by a wildcard that is no address. */
export function allowsHost(pattern: DomainPattern, host: string): boolean {
  if (pattern.host !== undefined) return pattern.host === host
  return !isIp(host) && relationOf(pattern.glob, labelsOf(host, false)) === 'whole'
}

/** Whether a rule that forbids means this host: with all that lies below it. */
export function forbidsHost(pattern: DomainPattern, host: string): boolean {
  if (isIp(host)) return pattern.host === host || isEverything(pattern)
  return relationOf([DEEP, ...pattern.glob], labelsOf(host, false)) === 'whole'
}

/** `domain:*` */
function isEverything({ glob }: DomainPattern): boolean {
  return glob.length === 2 && glob[1] === ANY_NAME
}
