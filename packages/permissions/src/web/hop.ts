import type { DecisionPart } from '../decide/decision.ts'
import type { Rule } from '../rule/rule.ts'
import { notPublic, isLocalName, canonicalAddress } from './address.ts'
import { readUrl } from './url.ts'
import { judgeFetch, fetchRules, ruleNaming } from './judge.ts'

/** Facts about a request that are not in its URL. */
interface HopOptions {
  /** The number of redirects so far. */
  readonly hop?: number
  /** The addresses of this machine, which must not be fetched. */
  readonly own?: readonly string[]
}

/** The maximum number of redirects. */
export const MAX_HOPS = 10

/**
 * Decides whether a host may be connected to after its DNS lookup, for the page itself and for each
 * redirect. All addresses of the lookup must be public. Connect only to these: a second lookup may
 * return different ones.
 */
export function judgeHop(
  url: string,
  addresses: readonly string[],
  rules: readonly Rule[],
  { hop = 0, own = [] }: HopOptions = {},
): DecisionPart {
  const part = judgeFetch(rules)({ kind: 'fetch', url, because: hop > 0 ? 'redirect' : 'fetch' })
  if (part.verdict === 'deny') return part
  const refused = (why: string): DecisionPart => ({ what: part.what, verdict: 'deny', why })
  if (hop > MAX_HOPS) return refused(`redirected more than ${MAX_HOPS} times`)
  const read = readUrl(url)
  if (typeof read === 'string') return refused(`the address ${read}`)
  if (addresses.length === 0) return refused(`${read.host} has no IP address`)

  const { allow } = fetchRules(rules)
  const isOwn = new Set(own.map(canonicalAddress))
  for (const address of addresses) {
    const form = canonicalAddress(address)
    const closed = isOwn.has(form) ? `${form} is this machine` : notPublic(address)
    if (closed === undefined || ruleNaming(allow, form)) continue
    // A rule for exactly `localhost` allows this machine.
    if (isLocalName(read.host) && ruleNaming(allow, read.host)) continue
    return refused(`${read.host} resolves to ${address}: ${closed}`)
  }
  return part
}

/** The result of a DNS lookup. */
export interface HostLookup extends HopOptions {
  readonly addresses: readonly string[]
}

/** Decides on a page by its URL, and again by the DNS lookup of its host, before connecting. */
export type JudgePage = (url: string, found?: HostLookup) => DecisionPart

/** Returns a judge for pages with these rules. */
export function judgePage(rules: readonly Rule[]): JudgePage {
  const judge = judgeFetch(rules)
  return (url, found) =>
    found
      ? judgeHop(url, found.addresses, rules, found)
      : judge({ kind: 'fetch', url, because: 'fetch' })
}
