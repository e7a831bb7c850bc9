import type { DecisionPart } from '../decide/decision.ts'
import type { Rule } from '../rule/rule.ts'
import { notPublic, isLocalName, canonicalAddress } from './address.ts'
import { fetchRules, judgeFetch, ruleNaming } from './judge.ts'
import { readUrl } from './url.ts'

export interface HopOptions {
  /** How many redirects led here. */
  readonly hop?: number
  /** The addresses of this machine, which nothing may be fetched from. */
  readonly own?: readonly string[]
}

/** More redirects than this are not followed. */
export const MAX_HOPS = 10

/**
 * Decides whether to connect, once a host has been looked up: for the page itself and again for every redirect. Each
 * address the lookup gave must be open; connect to one of these and to no other, since a second lookup may differ.
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
  if (hop > MAX_HOPS) return refused(`it was redirected more than ${MAX_HOPS} times`)
  const read = readUrl(url)
  if (typeof read === 'string') return refused(read)
  if (addresses.length === 0) return refused(`${read.host} has no address`)

  const { allow } = fetchRules(rules)
  const isOwn = new Set(own.map(canonicalAddress))
  for (const address of addresses) {
    const form = canonicalAddress(address)
    const closed = isOwn.has(form) ? `${form} is this machine` : notPublic(address)
    if (closed === undefined || ruleNaming(allow, form)) continue
    // `localhost`, where a rule names it, is this machine.
    if (isLocalName(read.host) && ruleNaming(allow, read.host)) continue
    return refused(`${read.host} leads to ${address}: ${closed}`)
  }
  return part
}

/** A host as it was looked up, and how many redirects led there. */
export interface HostLookup extends HopOptions {
  readonly addresses: readonly string[]
}

/** Decides on a page: by its address alone, and again with what its host was looked up as, before anyone connects. */
export type JudgePage = (url: string, found?: HostLookup) => DecisionPart

export function judgePage(rules: readonly Rule[]): JudgePage {
  const judge = judgeFetch(rules)
  return (url, found) =>
    found
      ? judgeHop(url, found.addresses, rules, found)
      : judge({ kind: 'fetch', url, because: 'fetch' })
}
