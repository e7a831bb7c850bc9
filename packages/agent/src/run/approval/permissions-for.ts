import {
  type OtherTools,
  type Permissions,
  readRules,
  type RuleProblem,
} from '@toolglot/permissions'
import type { Registry } from '../../registry/registry.ts'
import type { RunPermissions } from '../calls/call-options.ts'
import type { RunOptions } from '../options.ts'

/** The permissions of a run, which know its tools. If there is nobody to ask, calls that need approval are denied. */
export function permissionsFor(
  options: Pick<RunOptions, 'permissions' | 'approve' | 'attended' | 'onWait'>,
  registry: Registry,
): Permissions {
  const { permissions = {}, approve, attended, onWait } = options
  const given = 'rules' in permissions ? permissions.tools : undefined
  const tools = new Map([...(given ?? []), ...registry.access])
  const interactive = approve !== undefined || attended === true || onWait === 'suspend'
  if ('rules' in permissions) {
    return { ...permissions, tools, interactive: interactive && permissions.interactive !== false }
  }
  return { ...readPermissions(permissions, tools), interactive }
}

/** Reads rules in text form. Throws a TypeError if one is invalid, or names a tool that does not exist. */
export function readPermissions(
  // Any other key is a misspelled list: a `deny` that is not noticed would be dangerous.
  { mode, commandFiles, testCommand, ...texts }: RunPermissions,
  tools: OtherTools,
): Permissions {
  const { rules, problems } = readRules(texts, { source: { scope: 'cli' }, tools })
  refuseInvalid(problems)
  return {
    rules,
    ...(mode && { mode }),
    ...(commandFiles && { commandFiles }),
    ...(testCommand !== undefined && { testCommand }),
    tools,
  }
}

/** Throws for a rule that cannot be read: a `deny` that is not noticed would be dangerous. */
export function refuseInvalid([problem]: readonly RuleProblem[]): void {
  if (problem) throw new TypeError(`Invalid rule ${problem.text}: ${problem.problem}`)
}
