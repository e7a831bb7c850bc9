import type { DecisionPart } from '../decide/decision.ts'
import { cachedByRules, decidedBy, type Rule } from '../rule/rule.ts'
import type { FetchOperation } from '../decide/operation.ts'
import { showInvisible } from '../path/invisible.ts'
import { notPublic, isLocalName } from './address.ts'
import {
  allowsHost,
  type DomainPattern,
  forbidsHost,
  readDomainPattern,
  type Address,
  readUrl,
} from './url.ts'

/** A `WebFetch` rule. */
interface FetchRule {
  readonly rule: Rule
  /** Undefined if the rule covers every page. */
  readonly pattern?: DomainPattern
}

/** Decides which pages may be fetched, before any DNS lookup. */
export function judgeFetch(rules: readonly Rule[]): (operation: FetchOperation) => DecisionPart {
  const lists = fetchRules(rules)
  return (operation) => {
    const { url, because } = operation
    const part = (verdict: DecisionPart['verdict'], why: string, rule?: Rule): DecisionPart => ({
      what: url === undefined ? because : `fetch ${showInvisible(url)}`,
      verdict,
      why,
      subject: operation,
      rule,
    })
    const every = lists.deny.find(({ pattern }) => !pattern)?.rule
    if (every) return part('deny', decidedBy(every), every)
    if (url === undefined) return part('ask', 'the URL is unknown until it runs')
    const address = readUrl(url)
    if (typeof address === 'string') return part('deny', `the address ${address}`)

    const { host } = address
    const denied = ruleForbidding(lists.deny, host)
    if (denied) return part('deny', `the rule ${denied.text} denies ${host}`, denied)
    const closed = notPublicHost(address)
    const named = ruleNaming(lists.allow, host)
    if (closed !== undefined && !named)
      return part('deny', `${closed}, and no rule allows it by name`)
    const asked = ruleForbidding(lists.ask, host)
    if (asked) return part('ask', `the rule ${asked.text} requires approval for ${host}`, asked)
    if (address.caution !== undefined) return part('ask', address.caution)
    const [restricting] = [...lists.deny, ...lists.ask]
    if (operation.follows && restricting)
      return part(
        'ask',
        `follows redirects, which may lead to what ${restricting.rule.text} covers`,
      )
    const allowed =
      named ?? lists.allow.find(({ pattern }) => !pattern || allowsHost(pattern, host))?.rule
    if (!allowed) return { ...part('ask', `no rule allows ${host}`), unspoken: !address.customPort }
    if (address.customPort && closed === undefined)
      return part(
        'ask',
        `the rule ${allowed.text} does not cover port ${address.url.port}`,
        allowed,
      )
    return part('allow', `the rule ${allowed.text} allows ${host}`, allowed)
  }
}

/** The `WebFetch` rules, by verdict. */
type FetchRuleLists = Readonly<Record<Rule['verdict'], FetchRule[]>>

/**
 * The `WebFetch` rules. An invalid pattern covers every address in a deny or ask rule, and no
 * address in an allow rule.
 */
export const fetchRules: (rules: readonly Rule[]) => FetchRuleLists = cachedByRules((rules) => {
  const lists: FetchRuleLists = { allow: [], ask: [], deny: [] }
  for (const rule of rules) {
    if (rule.tool !== 'WebFetch') continue
    const pattern = rule.pattern === undefined ? undefined : readDomainPattern(rule.pattern)
    if (typeof pattern === 'object') lists[rule.verdict].push({ rule, pattern })
    else if (pattern === undefined || rule.verdict !== 'allow') lists[rule.verdict].push({ rule })
  }
  return lists
})

/** The rule for exactly this host. */
export function ruleNaming(rules: readonly FetchRule[], host: string): Rule | undefined {
  return rules.find(({ pattern }) => pattern?.host === host)?.rule
}

function ruleForbidding(rules: readonly FetchRule[], host: string): Rule | undefined {
  return rules.find(({ pattern }) => !pattern || forbidsHost(pattern, host))?.rule
}

/** The reason why a host is not on the public internet, judging only by its name. */
function notPublicHost({ host, isIp }: Address): string | undefined {
  if (isIp) return notPublic(host)
  return isLocalName(host) ? `${host} is not on the public internet` : undefined
}
