import type { DecisionPart } from '../decide/decision.ts'
import type { Rule } from '../rule/rule.ts'
import { type HopOptions, judgeHop } from './hop.ts'
import { judgeFetch } from './judge.ts'

/** A host as it was looked up, and how many redirects led there. */
export interface LookedUp extends HopOptions {
  readonly addresses: readonly string[]
}

/** Decides on a page: by its address alone, and again with what its host was looked up as, before anyone connects. */
export type JudgePage = (url: string, found?: LookedUp) => DecisionPart

export function judgePage(rules: readonly Rule[]): JudgePage {
  const judge = judgeFetch(rules)
  return (url, found) =>
    found
      ? judgeHop(url, found.addresses, rules, found)
      : judge({ kind: 'fetch', url, because: 'fetch' })
}
