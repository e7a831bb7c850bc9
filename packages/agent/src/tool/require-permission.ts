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

/** The question to a person whether a call may run. */
export interface ApprovalQuestion {
  /** The call as the model wrote it. */
  readonly call: ToolCall
  /** The decision; its `call` has the name and the arguments of the tool, even if an alias was called. */
  readonly decision: Decision
  /** The hash of everything that an answer approves. */
  readonly hash: string
  /** The number of earlier questions about this call, after which the decision changed. */
  readonly times: number
  /** The permissions that the decision was made with. */
  readonly permissions: Permissions
  /** The rules with which other permissions allow the call. None if they require approval. */
  readonly allowedBy: (permissions: Permissions) => Promise<readonly string[]>
  /** The limits of the call's access to the network; undefined if there are none. */
  readonly network?: NetworkNotice
}

/** A permitted call: the decision, and the network access that a person granted. */
export interface Permission {
  readonly decision: Decision
  /** The current directory of the decision. */
  readonly cwd: string
  readonly network?: NetworkAnswer
  /**
   * Rejects if code that a person approved has changed since. Undefined if no person was asked, or no code was found.
   */
  readonly checkCode?: () => Promise<void>
}

/**
 * Decides on a call and asks a person if necessary; throws if it may not run. An approval is valid only for the exact
 * decision: if that changes in the meantime, the person is asked again. `args` are the arguments of the tool.
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
    // Another call has ended elsewhere meanwhile.
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

/** Without a person's approval, bash runs only text printed from the judged commands, never the model's text. */
function unprinted({ unprinted: why = 'has no printed form' }: Decision): ToolError {
  return new ToolError('permission_denied', `This command was not run: it ${why}.`, {
    code: 'unprinted',
  })
}

const DANGEROUS = 'the tool is marked as dangerous'

/** The maximum number of further questions about one call. */
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

/** Whether only the way in which the call was written prevents it. */
function isOnlyDoubted({ parts }: Decision): boolean {
  const refused = parts.filter(({ verdict }) => verdict !== 'allow')
  return refused.length > 0 && refused.every(({ doubted }) => doubted)
}

/** The model can write the call again: the run explains how. */
function otherProtocol(): ToolError {
  return new ToolError(
    'permission_denied',
    'This call was not run: it was not written the way you were told to write calls.',
    { code: OTHER_PROTOCOL },
  )
}

/** The code of a refusal only because the call was not written in the selected protocol. */
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
