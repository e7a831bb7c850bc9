import type { PermissionMode, RuleScope } from '@toolglot/permissions'
import type { SettingValue } from './keys/key.ts'
import { isStricter } from '@toolglot/permissions/internal'
import { splitValue } from './split-value.ts'
import { comesWithFolder, untrustedGrants, type UntrustedGrants } from './untrusted-grants.ts'
import type { PathText, RuleText, SettingsFile, SettingsProblem } from './settings-file.ts'

/** The settings of all files together. */
export interface Settings {
  readonly rules: readonly RuleText[]
  readonly mode: PermissionMode
  readonly roots: readonly PathText[]
  readonly protocols: readonly PathText[]
  /** All other values, the strongest scope first: see settingValues. */
  readonly values: readonly SettingValue[]
  /** While there are any, everything asks: `rules` has no allow rules, and the mode accepts no edits. */
  readonly problems: readonly SettingsProblem[]
  readonly warnings: readonly SettingsProblem[]
  /** What the folder's own settings would add if it were trusted. */
  readonly withheld: UntrustedGrants
}

/**
 * Merges the settings of all scopes, the strongest first. Everyone may deny and ask. Settings that come with the folder
 * may allow, widen the workspace or bring code only after a person trusted it, and may never loosen the mode.
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

/** Settings files, the strongest scope first. */
export function byScope(files: readonly SettingsFile[]): SettingsFile[] {
  return [...files].sort((one, other) => ORDER.indexOf(one.scope) - ORDER.indexOf(other.scope))
}

const ORDER: readonly RuleScope[] = ['managed', 'cli', 'local', 'project', 'user']

/** The mode of the strongest scope that sets one. Others can only make it stricter. */
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
