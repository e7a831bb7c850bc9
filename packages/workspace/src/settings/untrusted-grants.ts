import type { PermissionMode, RuleScope } from '@toolglot/permissions'
import type { SettingValue } from './keys/key.ts'
import { splitValue } from './split-value.ts'
import type { PathText, RuleText, SettingsFile } from './settings-file.ts'

/** What the settings that come with a folder would allow. A person sees it before they trust the folder. */
export interface UntrustedGrants {
  readonly rules: readonly RuleText[]
  readonly roots: readonly PathText[]
  readonly protocols: readonly PathText[]
  readonly values: readonly SettingValue[]
  /** A looser mode. Only the folder's local settings can set one. */
  readonly mode?: PermissionMode
}

/** Collects what the settings that come with a folder would allow. */
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

/** Whether trusting the folder would change nothing. */
export function grantsNothing({ rules, roots, protocols, values, mode }: UntrustedGrants): boolean {
  return rules.length + roots.length + protocols.length + values.length === 0 && !mode
}

/** Whether settings come with the folder, so that a stranger may have written them. */
export function comesWithFolder({ scope }: { readonly scope: RuleScope }): boolean {
  return scope === 'project' || scope === 'local'
}
