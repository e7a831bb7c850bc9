import { canonicalJson } from '../canonical-json.ts'
import type { RuleSuggestion } from '../rule/suggest-for-each.ts'
import type { CodeVersions } from './code-files.ts'
import type { Decision } from './decision.ts'

/**
 * A request to a person to approve a call. Plain data, so it can be stored and answered after a
 * restart.
 */
export interface ApprovalRequest {
  readonly run: string
  /** The id of the call. */
  readonly call: string
  /**
   * Identifies exactly what would be approved. It changes with the call, the folder, the targets of
   * its paths, and the code that it runs.
   */
  readonly hash: string
  readonly decision: Decision
  /** The rules that "always" would add. Parts without a rule need approval again next time. */
  readonly always: readonly string[]
  /**
   * For each part that needs approval: the rule that "always" would add, or the reason why there is
   * none.
   */
  readonly suggestions: readonly RuleSuggestion[]
  /** The time at which an unanswered request counts as denied, in milliseconds since 1970. */
  readonly expires?: number
  /** The hosts that the call can reach once it runs. Missing if nothing limits that. */
  readonly network?: NetworkNotice
}

/** The limits of a call's network access. The approver may allow more. */
export interface NetworkNotice {
  /** The hosts that the call can reach, or none if empty. */
  readonly reaches: readonly string[]
  /**
   * Hosts that the call's text mentions. They are only a suggestion for the approver and must not
   * be trusted.
   */
  readonly suggested: readonly string[]
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

/** The limits of a call at the time of its approval request. */
export interface ApprovedIn {
  /** The current directory. */
  readonly cwd: string
  readonly network?: NetworkNotice | undefined
  /** The code files that the call runs. */
  readonly code: CodeVersions
}

/**
 * The identity of an approval: a hash of the run, the call, the folder, the parts of the decision,
 * the text that runs, the hosts that it can reach, and the code that it may run.
 */
export async function approvalHash(
  run: string,
  id: string,
  { call, parts, runs, code }: Decision,
  { cwd, network, code: versions }: ApprovedIn,
): Promise<string> {
  const found = parts.map(({ what, why, real }) => [what, why, real ?? null])
  const asked = [run, id, call?.name ?? null, call?.args ?? null, cwd, found]
  const isPlain = runs === undefined && network === undefined && code === undefined
  const bound = [runs ?? null, network?.reaches ?? null, code?.anything ?? null, versions]
  const text = canonicalJson(isPlain ? asked : [...asked, ...bound])
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
