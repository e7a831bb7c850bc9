import type { Mode, Scope } from '@toolglot/permissions'
import type { Saying } from './keys/key.ts'
import { isStricter } from './stricter.ts'
import { isFolders, offerOf, type Offer } from './offer.ts'
import type { PathText, RuleText, SettingsFile, SettingsProblem } from './settings-file.ts'

/** What all settings files say together. */
export interface Settings {
  readonly rules: readonly RuleText[]
  readonly mode: Mode
  readonly roots: readonly PathText[]
  readonly protocols: readonly PathText[]
  /** What else is said, the strongest scope first: see saidOf. */
  readonly sayings: readonly Saying[]
  /** While there are any, everything is asked: no rule that allows is among `rules`, and no edit is accepted. */
  readonly problems: readonly SettingsProblem[]
  readonly warnings: readonly SettingsProblem[]
  /** What the folder's own settings would add if it were trusted. */
  readonly withheld: Offer
}

/**
 * Settings of all scopes, the strongest first. Everyone may deny and ask; who comes with the folder may allow, widen the
 * workspace or bring code only once a person trusted the folder, and may never loosen the mode.
 */
export function mergeSettings(
  files: readonly SettingsFile[],
  { trusted }: { readonly trusted: boolean },
): Settings {
  const all = [...files].sort((one, other) => rank(one) - rank(other))
  const granting = all.filter((file) => trusted || !isFolders(file))
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
    sayings: granting.flatMap((file) => (file.problems.length > 0 ? [] : file.sayings)),
    problems,
    warnings: all.flatMap((file) => file.warnings),
    withheld: offerOf(trusted ? [] : all),
  }
}

const ORDER: readonly Scope[] = ['managed', 'cli', 'local', 'project', 'user']

function rank({ scope }: SettingsFile): number {
  return ORDER.indexOf(scope)
}

/** The person's mode, by the strongest scope that names one; then what others may only make stricter. */
function modeOf(all: readonly SettingsFile[], trusted: boolean): Mode {
  const named = (...scopes: Scope[]): Mode[] =>
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
