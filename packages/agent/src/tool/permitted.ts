import { approvalHash } from '../permission/approval.ts'
import { decide } from '../permission/decide.ts'
import type { Decision } from '../permission/decision.ts'
import type { ExecuteOptions, ToolCall } from './execute.ts'
import type { Tool } from './tool.ts'
import { ToolError } from './tool-error.ts'

/**
 * What was decided of a call that may run; throws where it may not. A person's yes is for what they were asked about:
 * what has changed since is asked about again. `own` is the call in the tool's own words.
 */
export async function permitted(
  call: ToolCall,
  own: ToolCall,
  found: Tool,
  options: ExecuteOptions,
): Promise<Decision> {
  let approved: string | undefined
  for (let times = 0; times <= MOST_TIMES; times++) {
    const { permissions, world, approve, tools, run = '' } = options
    const doubt = permissions.doubt ?? found.doubt?.()
    const decision = decide(own, { ...permissions, ...(doubt !== undefined && { doubt }) }, world)
    if (tools.get(found.name) !== found) throw changed(found.name)
    if (decision.verdict === 'allow' && !found.dangerous) return decision
    if (decision.verdict === 'deny') throw denied(decision, whyNot(decision))
    if (!approve) throw denied({ ...decision, unasked: true }, whyNot(decision))
    const hash = await approvalHash(run, call.id, own, decision, world.cwd)
    if (hash === approved) return decision
    const { verdict, reason } = await approve(call, decision, times)
    if (verdict !== 'allow') throw denied(decision, reason ?? 'The user does not want this.')
    approved = hash
  }
  throw changed('What it would do')
}

/** How often a person is asked about one call. */
const MOST_TIMES = 3

function changed(what: string): ToolError {
  return new ToolError(
    'permission_denied',
    `${what} changed while a person was asked about it, so it was not run.`,
    { code: 'changed_since_asked' },
  )
}

function denied(decision: Decision, reason: string): ToolError {
  const { rule } = decision
  return new ToolError('permission_denied', reason, {
    code: codeOf(decision),
    ...(rule && { matched_rule: rule.text }),
  })
}

function codeOf({ verdict, unasked }: Decision): string {
  if (unasked) return 'nobody_to_ask'
  return verdict === 'deny' ? 'denied_by_rule' : 'denied_by_user'
}

function whyNot({ verdict, why, what, error }: Decision): string {
  if (error !== undefined) return error
  return verdict === 'deny'
    ? `Not allowed: ${what}: ${why}.`
    : `This needs a person's approval, and there is nobody to ask: ${what}: ${why}.`
}
