import { canonicalJson } from './canonical-json.ts'
import type { PermissionCall } from './call.ts'
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

/** What an approval binds to: the run, the call, its arguments, the folder, and what each part of it was found to be. */
export async function approvalHash(
  run: string,
  id: string,
  call: PermissionCall,
  decision: Decision,
  cwd: string,
): Promise<string> {
  const parts = decision.parts.map(({ what, why, real }) => [what, why, real ?? null])
  const text = canonicalJson([run, id, call.name, call.args, cwd, parts])
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The questions that are open, and the answers that were given: each answer counts once. */
export class Approvals {
  readonly #open = new Map<string, ApprovalRequest>()
  readonly #answers = new Map<string, Approval>()

  ask(request: ApprovalRequest): void {
    this.#open.set(keyOf(request), request)
  }

  get open(): readonly ApprovalRequest[] {
    return [...this.#open.values()]
  }

  /** Undefined: it counts. Else why it does not; the first answer to a question is the only one. */
  answer(approval: Approval, now: number): string | undefined {
    const request = this.#open.get(keyOf(approval))
    if (!request) return 'Nothing is asked about this call, or it was answered before.'
    if (request.hash !== approval.hash) return 'What was asked about has changed since.'
    if (isOver(request, now)) return 'The question has expired: that was a no.'
    this.#open.delete(keyOf(approval))
    this.#answers.set(keyOf(approval), approval)
    return undefined
  }

  /** The answer for a call that is about to run, if there is one for exactly this; it is used up by asking. */
  take(run: string, call: string, hash: string): Approval | undefined {
    const key = keyOf({ run, call })
    const approval = this.#answers.get(key)
    this.#answers.delete(key)
    return approval?.hash === hash ? approval : undefined
  }

  /** The questions that nobody answered in time, which is a no to each. */
  expire(now: number): readonly ApprovalRequest[] {
    const over = this.open.filter((request) => isOver(request, now))
    for (const request of over) this.#open.delete(keyOf(request))
    return over
  }
}

function isOver({ expires }: ApprovalRequest, now: number): boolean {
  return expires !== undefined && now >= expires
}

function keyOf({ run, call }: { run: string; call: string }): string {
  return JSON.stringify([run, call])
}
