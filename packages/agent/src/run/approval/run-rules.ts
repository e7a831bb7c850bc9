import {
  type FileSystemView,
  type OtherTools,
  type Permissions,
  readRules,
  type RuleProblem,
} from '@toolglot/permissions'
import { isStricter } from '@toolglot/permissions/internal'
import type { Registry } from '../../registry/registry.ts'
import type { RunPermissions } from '../calls/call-options.ts'
import type { RecordedPermissions } from '../event.ts'
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
function refuseInvalid([problem]: readonly RuleProblem[]): void {
  if (problem) throw new TypeError(`Invalid rule ${problem.text}: ${problem.problem}`)
}

/** What was given for a run only. */
export type GivenRules = NonNullable<RecordedPermissions['given']>

/** What holds for a run: what was given for it before, and now. Undefined if that is nothing. */
export function givenFor(
  before: GivenRules | undefined,
  now: RunOptions['given'] = {},
): GivenRules | undefined {
  const both = (verdict: 'allow' | 'ask' | 'deny'): readonly string[] => [
    ...new Set([...(before?.[verdict] ?? []), ...(now[verdict] ?? [])]),
  ]
  const mode = now.mode ?? before?.mode
  const given = { allow: both('allow'), ask: both('ask'), deny: both('deny') }
  const isEmpty = Object.values(given).every(({ length }) => length === 0) && mode === undefined
  return isEmpty ? undefined : { ...(mode && { mode }), ...given }
}

/** What was given for a run, as far as it also holds in another folder: paths and commands mean something else there. */
export function withoutAllowed(given: GivenRules | undefined): GivenRules | undefined {
  return given && { ...given, allow: [] }
}

/**
 * Permissions with what was given for a run. A rule that cannot be read has no effect: its tool may be gone by now. A mode only
 * makes them stricter: what is looser is for those to decide who know where the mode of the permissions is from.
 */
export function withGiven(
  permissions: Permissions,
  given: GivenRules | undefined,
  { roots, cwd }: Pick<FileSystemView, 'roots' | 'cwd'>,
): Permissions {
  if (!given) return permissions
  const { mode, ...texts } = given
  const isStricterMode = mode && isStricter(mode, permissions.mode ?? 'default')
  const source = { scope: 'cli', root: roots[0] ?? cwd } as const
  const { rules } = readRules(texts, { source, tools: permissions.tools })
  return {
    ...permissions,
    rules: [...permissions.rules, ...rules],
    ...(isStricterMode && { mode }),
  }
}

/** Throws a TypeError for a rule that is given now and cannot be read. */
export function checkGiven({ tools }: Permissions, given: GivenNow = {}): void {
  const { mode: _, ...texts } = given
  refuseInvalid(readRules(texts, { source: { scope: 'cli' }, tools }).problems)
}

type GivenNow = NonNullable<RunOptions['given']>
