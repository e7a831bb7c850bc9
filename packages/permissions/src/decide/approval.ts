import { canonicalJson } from '../canonical-json.ts'
import type { RuleSuggestion } from '../rule/suggest.ts'
import type { Decision } from './decision.ts'

/** Asks a person whether a call may run. Plain data, so it can be stored and answered after a restart. */
export interface ApprovalRequest {
  readonly run: string
  /** The id of the call. */
  readonly call: string
  /** Identifies exactly what is asked about. It changes with the call, the folder, and where its paths lead. */
  readonly hash: string
  readonly decision: Decision
  /** The rules that "always" would add. Parts without a rule ask again next time. */
  readonly always: readonly string[]
  /** For each part that needs approval: the rule that "always" would add, or why there is none. */
  readonly suggestions: readonly RuleSuggestion[]
  /** When an unanswered request counts as denied, in milliseconds since 1970. */
  readonly expires?: number
}

/** A person's answer to an `ApprovalRequest`. */
export interface Approval {
  readonly run: string
  readonly call: string
  readonly hash: string
  readonly verdict: 'allow' | 'deny'
  /** Shown to the model. */
  readonly reason?: string
}

/** What an approval is bound to: a hash of the run, the call, the folder, the parts of the decision and the text that runs. */
export async function approvalHash(
  run: string,
  id: string,
  { call, parts, expanded }: Decision,
  cwd: string,
): Promise<string> {
  const found = parts.map(({ what, why, real }) => [what, why, real ?? null])
  const asked = [run, id, call?.name ?? null, call?.args ?? null, cwd, found]
  const text = canonicalJson(expanded === undefined ? asked : [...asked, expanded])
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
