import type { Decision, Permissions } from '@toolglot/permissions'
import { approvalHash, checkOwn, decideOn } from '@toolglot/permissions/internal'
import type { ExecuteOptions, ToolCall } from './execute.ts'
import { type FoundTool, findTool } from './find-tool.ts'
import { ToolError } from './tool-error.ts'

/** A question to a person: may this call run? */
export interface ApprovalQuestion {
  /** As the model wrote it. */
  readonly call: ToolCall
  /** About the tool that it is a call of: `decision.call` is the call in that tool's own words. */
  readonly decision: Decision
  /** What an answer binds to. */
  readonly hash: string
  /** How often it was asked before: something that was decided on has changed since. */
  readonly times: number
  /** What was decided by. */
  readonly permissions: Permissions
}

/**
 * What was decided of a call that may run; throws where it may not. A person's yes is for what they were asked about:
 * what has changed since is asked about again. `args` are those of the tool.
 */
export async function requirePermission(
  call: ToolCall,
  found: FoundTool,
  args: Readonly<Record<string, unknown>>,
  options: ExecuteOptions,
): Promise<Decision> {
  const { name, tool } = found
  const checked = checkOwn(found, args)
  let approved: string | undefined
  for (let times = 0; times <= MAX_TIMES; times++) {
    const { fileSystem, approve, tools, run = '' } = options
    const doubt = options.permissions.doubt ?? tool.doubt?.()
    const permissions = { ...options.permissions, ...(doubt !== undefined && { doubt }) }
    const decision = decideOn({ name, trust: call.trust }, checked, permissions, fileSystem)
    if (findTool(call.name, tools, permissions.tools)?.tool !== tool) throw changed(name)
    if (decision.verdict === 'allow' && !tool.dangerous) return decision
    if (decision.verdict === 'deny') throw denied(decision, whyNot(decision))
    if (!approve) throw denied({ ...decision, unasked: true }, whyNot(decision))
    const hash = await approvalHash(run, call.id, decision, fileSystem.cwd)
    if (hash === approved) return decision
    const { verdict, reason } = await approve({ call, decision, hash, times, permissions })
    if (verdict !== 'allow') throw denied(decision, reason ?? 'The user does not want this.')
    approved = hash
  }
  throw changed('What it would do')
}

/** How often a person is asked about one call. */
const MAX_TIMES = 3

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
