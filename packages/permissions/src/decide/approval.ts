import { canonicalJson } from '../canonical-json.ts'
import type { Decision } from './decision.ts'

/** A question to a person: may this call run? Plain data: it can be stored, and answered after a restart. */
export interface ApprovalRequest {
  readonly run: string
  /** The id of the call. */
  readonly call: string
  /** What was asked about, to the letter: another call, another folder, a file that leads elsewhere now is another. */
  readonly hash: string
  readonly decision: Decision
  /** The rules that "always" would add, one for each part; none if a rule would reach too far. */
  readonly always: readonly string[]
  /** When nobody answering becomes a no, in milliseconds since 1970. */
  readonly expires?: number
}

/** What a person said. */
export interface Approval {
  readonly run: string
  readonly call: string
  readonly hash: string
  readonly verdict: 'allow' | 'deny'
  /** Told to the model. */
  readonly reason?: string
}

/** What an approval binds to: the run, the call, what was decided on, the folder, and what each part was found to be. */
export async function approvalHash(
  run: string,
  id: string,
  { call, parts }: Decision,
  cwd: string,
): Promise<string> {
  const found = parts.map(({ what, why, real }) => [what, why, real ?? null])
  const text = canonicalJson([run, id, call?.name ?? null, call?.args ?? null, cwd, found])
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
