import type { Decision, NetworkNotice, Permissions } from '@toolglot/permissions'
import {
  approvalHash,
  canonicalJson,
  checkResolvedCall,
  decideChecked,
  findCode,
  isWrittenOtherwise,
} from '@toolglot/permissions/internal'
import type { ExecuteOptions, ToolCall } from './execute.ts'
import { type FoundTool, findTool } from './alias-tools.ts'
import type { NetworkAnswer } from './network-answer.ts'
import { ToolError } from './tool-error.ts'
import type { Tool } from './tool.ts'

/** A request to a person to approve a call. */
export interface ApprovalQuestion {
  /** The call in the form in which the model wrote it. */
  readonly call: ToolCall
  /**
   * The decision. Its `call` contains the name and arguments of the tool, even if an alias was
   * called.
   */
  readonly decision: Decision
  /** The hash of all facts that an approval covers. */
  readonly hash: string
  /** The number of earlier requests for this call, each followed by a change of the decision. */
  readonly times: number
  /** The permissions used for the decision. */
  readonly permissions: Permissions
  /**
   * Returns the rules in other permissions that allow the call. Empty if it needs approval there.
   */
  readonly allowedBy: (permissions: Permissions) => Promise<readonly string[]>
  /** The limits of the call's network access. Undefined if there are none. */
  readonly network?: NetworkNotice
}

/** Permission for a call: the decision and the network access granted by a person. */
export interface Permission {
  readonly decision: Decision
  /** The current directory at the time of the decision. */
  readonly cwd: string
  readonly network?: NetworkAnswer
  /**
   * Rejects if the code approved by a person has changed since. Undefined if there was no approval
   * by a person, or no code.
   */
  readonly checkCode?: () => Promise<void>
}

/**
 * Decides on a call and requests approval if necessary. Throws if the call is not allowed to run.
 * An approval is valid only for exactly this decision: if the decision changes in the meantime,
 * there is a new request. `args` are the arguments of the tool.
 */
export async function requirePermission(
  call: ToolCall,
  found: FoundTool,
  args: Readonly<Record<string, unknown>>,
  options: ExecuteOptions,
): Promise<Permission> {
  const { name, tool } = found
  const checked = checkResolvedCall(found, args)
  let approved: ({ readonly hash: string } & Pick<Permission, 'network' | 'checkCode'>) | undefined
  for (let times = 0; times <= MAX_TIMES; times++) {
    const { fileSystem, approve, tools, run = '' } = options
    const { cwd } = fileSystem
    const decideWith = (given: Permissions): Promise<Decision> => {
      const asked = { name, trust: call.trust, asks: tool.dangerous }
      return decideChecked(asked, checked, withDoubt(given, tool), fileSystem)
    }
    const permissions = withDoubt(options.permissions, tool)
    const decided = await decideWith(permissions)
    const code = await findCode(decided, fileSystem)
    const decision = withFiles(decided, code.named)
    if (findTool(call.name, tools, permissions.tools)?.tool !== tool) throw changed(name)
    // A call that ended in the meantime changed the current directory.
    if (fileSystem.cwd !== cwd) continue
    if (decision.verdict === 'allow' && !tool.dangerous) {
      if (found.access.runs !== undefined && decision.runs === undefined) throw unprinted(decision)
      return { decision, cwd }
    }
    const canAsk = approve !== undefined && decision.verdict !== 'deny'
    const mayRunRewritten = isWrittenOtherwise(call.trust ?? {}) && !tool.dangerous
    if (!canAsk && mayRunRewritten && isOnlyDoubted(decision)) throw otherProtocol()
    if (decision.verdict === 'deny') throw denied(decision, whyNot(decision))
    if (!approve)
      throw denied(
        { ...decision, unasked: true },
        whyNot(decision.verdict === 'allow' ? { ...decision, why: DANGEROUS } : decision),
      )
    const notice = decision.call && (await tool.network?.(decision.call.args))
    const bound = { cwd, network: notice, code: code.versions }
    const hash = await approvalHash(run, call.id, decision, bound)
    if (hash === approved?.hash) {
      const { hash: _, ...rest } = approved
      return { decision, cwd, ...rest }
    }
    const { verdict, reason, network } = await approve({
      ...{ call, decision, hash, times, permissions },
      async allowedBy(given) {
        if (tool.dangerous) return []
        const { verdict: now, parts } = await decideWith(given)
        return now === 'allow' ? [...new Set(parts.flatMap(({ rule }) => rule?.text ?? []))] : []
      },
      network: notice,
    })
    if (verdict !== 'allow') throw denied(decision, reason ?? 'The user denied this.')
    const checkCode = async (): Promise<void> => {
      const { versions } = await findCode(decision, fileSystem)
      if (canonicalJson(versions) !== canonicalJson(code.versions)) throw changedCode(name)
    }
    approved = { hash, network, checkCode: decision.code && checkCode }
  }
  throw changed('The effect of the call')
}

function withDoubt(permissions: Permissions, tool: Tool): Permissions {
  const doubt = permissions.doubt ?? tool.doubt?.()
  return { ...permissions, ...(doubt !== undefined && { doubt }) }
}

/**
 * Without a person's approval, Bash runs only commands printed from the parsed text, never the
 * model's own text.
 */
function unprinted({ unprinted: why = 'has no printed form' }: Decision): ToolError {
  return new ToolError('permission_denied', `This command was not run: it ${why}.`, {
    code: 'unprinted',
  })
}

const DANGEROUS = 'the tool is marked as dangerous'

/** The maximum number of further requests for one call. */
const MAX_TIMES = 3

function changed(what: string): ToolError {
  return new ToolError(
    'permission_denied',
    `${what} changed while waiting for approval, so it was not run.`,
    { code: 'changed_since_asked' },
  )
}

/** The decision, with the files of code to show to the person. */
function withFiles(decision: Decision, files: readonly string[]): Decision {
  return decision.code && files.length > 0
    ? { ...decision, code: { ...decision.code, files } }
    : decision
}

function changedCode(name: string): ToolError {
  return new ToolError(
    'permission_denied',
    `${name} was not run: code that it runs changed after it was approved. Call it again.`,
    { code: 'changed_since_asked' },
  )
}

/** True if only the notation of the call prevents it. */
function isOnlyDoubted({ parts }: Decision): boolean {
  const refused = parts.filter(({ verdict }) => verdict !== 'allow')
  return refused.length > 0 && refused.every(({ doubted }) => doubted)
}

/** The model can write the call again, and the run explains how. */
function otherProtocol(): ToolError {
  return new ToolError(
    'permission_denied',
    'This call was not run, because it was not written in the required notation.',
    { code: OTHER_PROTOCOL },
  )
}

/**
 * The code of a rejection whose only reason is that the call was not written in the selected
 * protocol.
 */
export const OTHER_PROTOCOL = 'other_protocol'

function denied(decision: Decision, reason: string): ToolError {
  const { rule, subject } = decision
  const file = subject && 'path' in subject ? subject.path : undefined
  return new ToolError('permission_denied', reason, {
    code: codeOf(decision),
    ...(file !== undefined && { file }),
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
    : `This needs approval, and there is nobody to ask: ${what}: ${why}.`
}
