import type { Mode } from '@toolglot/permissions'
import type { Saying } from './keys/key.ts'
import type { PathText, RuleText, SettingsFile } from './settings-file.ts'

/** What the settings that come with a folder would allow: what a person is shown before they trust it. */
export interface Offer {
  readonly rules: readonly RuleText[]
  readonly roots: readonly PathText[]
  readonly protocols: readonly PathText[]
  readonly sayings: readonly Saying[]
  /** A looser mode than they might have: only the folder's local settings may name one. */
  readonly mode?: Mode
}

export function offerOf(files: readonly SettingsFile[]): Offer {
  const own = files.filter(isFolders)
  const mode = own.find((file) => file.scope === 'local' && file.mode)?.mode
  return {
    rules: own.flatMap((file) => file.rules).filter(({ verdict }) => verdict === 'allow'),
    roots: own.flatMap((file) => file.roots),
    protocols: own.flatMap((file) => file.protocols),
    sayings: own.flatMap((file) => file.sayings),
    ...(mode && { mode }),
  }
}

/** Whether trusting the folder would change nothing. */
export function isEmpty({ rules, roots, protocols, sayings, mode }: Offer): boolean {
  return rules.length + roots.length + protocols.length + sayings.length === 0 && !mode
}

/** Whether settings came with the folder, as a stranger may have written them. */
export function isFolders({ scope }: SettingsFile): boolean {
  return scope === 'project' || scope === 'local'
}
