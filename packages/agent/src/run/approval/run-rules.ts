import {
  type FileSystemView,
  type OtherTools,
  type Permissions,
  readRules,
  type RuleProblem,
} from '@toolglot/permissions'
import { isStricter } from '@toolglot/permissions/internal'
import type { Registry } from '../../registry/registry.ts'
import type { RunPermissions, RunOptions } from '../options.ts'
import type { RecordedPermissions } from '../event.ts'

/**
 * The permissions of a run, including the access declared by its tools. If no approver is
 * available, calls that need approval are denied.
 */
export function permissionsFor(
  options: Pick<RunOptions, 'permissions' | 'approve' | 'attended' | 'onWait'>,
  registry: Registry,
): Permissions {
  const { permissions = {}, approve, attended, onWait } = options
  const known = 'rules' in permissions ? permissions.tools : undefined
  const tools = new Map([...(known ?? []), ...registry.access])
  const interactive = approve !== undefined || attended === true || onWait === 'suspend'
  if ('rules' in permissions) {
    return { ...permissions, tools, interactive: interactive && permissions.interactive !== false }
  }
  return { ...readPermissions(permissions, tools), interactive }
}

/** Parses rules. Throws a TypeError if one is invalid or refers to an unknown tool. */
export function readPermissions(
  // Any other key is a misspelled list, and ignoring a `deny` list would be dangerous.
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

/** Throws if a rule is invalid, because ignoring a `deny` rule would be dangerous. */
function refuseInvalid([problem]: readonly RuleProblem[]): void {
  if (problem) throw new TypeError(`Invalid rule ${problem.text}: ${problem.problem}`)
}

/** The rules and mode of a single run. They affect only its own permissions. */
export type RunRules = NonNullable<RecordedPermissions['given']>

/** Combines the previous rules of a run with new ones. Undefined if there are none. */
export function runRulesFor(
  before: RunRules | undefined,
  now: RunOptions['given'] = {},
): RunRules | undefined {
  const both = (verdict: 'allow' | 'ask' | 'deny'): readonly string[] => [
    ...new Set([...(before?.[verdict] ?? []), ...(now[verdict] ?? [])]),
  ]
  const mode = now.mode ?? before?.mode
  const rules = { allow: both('allow'), ask: both('ask'), deny: both('deny') }
  const isEmpty = Object.values(rules).every(({ length }) => length === 0) && mode === undefined
  return isEmpty ? undefined : { ...(mode && { mode }), ...rules }
}

/**
 * The rules of a run that also apply in another folder, where paths and commands have a different
 * meaning.
 */
export function withoutAllowed(runRules: RunRules | undefined): RunRules | undefined {
  return runRules && { ...runRules, allow: [] }
}

/**
 * Adds the rules of a run to permissions. An invalid rule has no effect, because its tool may no
 * longer exist. A mode can only make permissions stricter. Only the caller can apply a looser mode,
 * because it knows the source of the current one.
 */
export function withRunRules(
  permissions: Permissions,
  runRules: RunRules | undefined,
  { roots, cwd }: Pick<FileSystemView, 'roots' | 'cwd'>,
): Permissions {
  if (!runRules) return permissions
  const { mode, ...texts } = runRules
  const isStricterMode = mode && isStricter(mode, permissions.mode ?? 'default')
  const source = { scope: 'cli', root: roots[0] ?? cwd } as const
  const { rules } = readRules(texts, { source, tools: permissions.tools })
  return {
    ...permissions,
    rules: [...permissions.rules, ...rules],
    ...(isStricterMode && { mode }),
  }
}

/** Throws a TypeError if a new rule of a run is invalid. */
export function checkRunRules(
  { tools }: Permissions,
  added: NonNullable<RunOptions['given']> = {},
): void {
  const { mode: _, ...texts } = added
  refuseInvalid(readRules(texts, { source: { scope: 'cli' }, tools }).problems)
}
