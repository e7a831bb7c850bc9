import type { PermissionMode, RuleScope } from '@toolglot/permissions'
import { isStricter } from '@toolglot/permissions/internal'
import type { SettingValue } from './keys/key.ts'
import type { PathText, RuleText, SettingsFile, SettingsProblem } from './settings-file.ts'
import { settingsKeys } from './keys/index.ts'

/** The merged settings of all files. */
export interface Settings {
  readonly rules: readonly RuleText[]
  readonly mode: PermissionMode
  readonly roots: readonly PathText[]
  readonly protocols: readonly PathText[]
  /** All other values, strongest scope first: see settingValues. */
  readonly values: readonly SettingValue[]
  /**
   * While there are any, every call needs approval: `rules` has no allow rules, and the mode
   * accepts no edits.
   */
  readonly problems: readonly SettingsProblem[]
  readonly warnings: readonly SettingsProblem[]
  /** The settings that the folder would add if it were trusted. */
  readonly withheld: UntrustedGrants
}

/**
 * Merges the settings of all scopes, strongest first. All scopes can deny and ask. A folder's
 * settings can allow, extend the workspace or add code only if the user trusts it, and can never
 * loosen the mode.
 */
export function mergeSettings(
  files: readonly SettingsFile[],
  { trusted }: { readonly trusted: boolean },
): Settings {
  const all = byScope(files)
  const granting = all.filter((file) => trusted || !comesWithFolder(file))
  const problems = all.flatMap((file) => file.problems)
  const isSound = problems.length === 0

  const restricting = all.flatMap((file) => file.rules).filter(({ verdict }) => verdict !== 'allow')
  const allowing = granting
    .flatMap((file) => file.rules)
    .filter(({ verdict }) => verdict === 'allow')
  const mode = modeOf(all, trusted)

  return {
    rules: isSound ? [...restricting, ...allowing] : restricting,
    mode: isSound || !isStricter('default', mode) ? mode : 'default',
    roots: isSound ? granting.flatMap((file) => file.roots) : [],
    protocols: granting.flatMap((file) => (file.problems.length > 0 ? [] : file.protocols)),
    values: all.flatMap((file) =>
      granting.includes(file) && file.problems.length === 0
        ? file.values
        : file.values.flatMap((each) => splitValue(each).forbids ?? []),
    ),
    problems,
    warnings: all.flatMap((file) => file.warnings),
    withheld: untrustedGrants(trusted ? [] : all),
  }
}

/** Sorts settings files, strongest scope first. */
export function byScope(files: readonly SettingsFile[]): SettingsFile[] {
  return [...files].sort((one, other) => ORDER.indexOf(one.scope) - ORDER.indexOf(other.scope))
}

const ORDER: readonly RuleScope[] = ['managed', 'cli', 'local', 'project', 'user']

/** The mode of the strongest scope that sets one. Other scopes can only make it stricter. */
function modeOf(all: readonly SettingsFile[], trusted: boolean): PermissionMode {
  const named = (...scopes: RuleScope[]): PermissionMode[] =>
    all.flatMap(({ scope, mode }) => (mode && scopes.includes(scope) ? [mode] : []))

  const [own = 'default'] = [
    ...named('cli'),
    ...(trusted ? named('local') : []),
    ...named('user'),
    ...named('managed'),
  ]
  const mode = named('project', 'local').reduce(
    (before, other) => (isStricter(other, before) ? other : before),
    own,
  )
  const [floor = mode] = named('managed')
  return isStricter(mode, floor) ? mode : floor
}

/**
 * Splits a value into a part that only forbids, which always applies, and a part that grants
 * permissions, which requires trust.
 */
export function splitValue(each: SettingValue): {
  readonly forbids?: SettingValue
  readonly grants?: SettingValue
} {
  const key = settingsKeys.find(({ key: name }) => name === each.key)
  if (!key?.split) return { grants: each }
  const { forbids, grants } = key.split(each.value)
  return {
    forbids: forbids === undefined ? undefined : { ...each, value: forbids },
    grants: grants === undefined ? undefined : { ...each, value: grants },
  }
}

/**
 * The permissions granted by a folder's settings. The user sees them before trusting the folder.
 */
export interface UntrustedGrants {
  readonly rules: readonly RuleText[]
  readonly roots: readonly PathText[]
  readonly protocols: readonly PathText[]
  readonly values: readonly SettingValue[]
  /** A looser mode. Only the folder's local settings can set one. */
  readonly mode?: PermissionMode
}

/** Collects the permissions granted by a folder's settings. */
export function untrustedGrants(files: readonly SettingsFile[]): UntrustedGrants {
  const own = files.filter(comesWithFolder)
  const mode = own.find((file) => file.scope === 'local' && file.mode)?.mode
  return {
    rules: own.flatMap((file) => file.rules).filter(({ verdict }) => verdict === 'allow'),
    roots: own.flatMap((file) => file.roots),
    protocols: own.flatMap((file) => file.protocols),
    values: own.flatMap((file) => file.values).flatMap((each) => splitValue(each).grants ?? []),
    mode,
  }
}

/** True if trusting the folder would change nothing. */
export function grantsNothing({ rules, roots, protocols, values, mode }: UntrustedGrants): boolean {
  return rules.length + roots.length + protocols.length + values.length === 0 && !mode
}

/** True if settings are part of the folder, so another person may have written them. */
export function comesWithFolder({ scope }: { readonly scope: RuleScope }): boolean {
  return scope === 'project' || scope === 'local'
}
