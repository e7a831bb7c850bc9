import type { RuleSource } from '@toolglot/permissions'
import type { SettingValue } from './keys/key.ts'
import { byScope, type Settings, splitValue } from './merge-settings.ts'
import type { PathText, SettingsFile } from './settings-file.ts'

/** One value in one settings file. */
interface SettingEntry {
  /** For example `permissions.deny`. */
  readonly key: string
  readonly value: unknown
  readonly source: RuleSource
  /** Whether it has an effect: values of a folder that is not trusted do not. */
  readonly counts: boolean
}

/** All values of settings files, the strongest scope first, with their sources, and whether each has an effect. */
export function settingEntries({
  files,
  settings,
}: {
  readonly files: readonly SettingsFile[]
  readonly settings: Settings
}): SettingEntry[] {
  return byScope(files).flatMap((file) => entriesOf(file, settings))
}

function entriesOf(
  { file, scope, rules, mode, roots, protocols, values }: SettingsFile,
  settings: Settings,
): SettingEntry[] {
  const held = new Set<object>([
    ...settings.values,
    ...settings.rules,
    ...settings.roots,
    ...settings.protocols,
  ])
  const path =
    (key: string) =>
    (each: PathText): SettingEntry => ({
      key,
      value: each.path,
      source: each.source,
      counts: held.has(each),
    })
  return [
    ...values.flatMap((each) => (held.has(each) ? [{ ...each, counts: true }] : partsOf(each))),
    ...protocols.map(path('protocols')),
    ...(mode
      ? [
          {
            key: 'permissions.mode',
            value: mode,
            source: { scope, file },
            counts: mode === settings.mode,
          },
        ]
      : []),
    ...(['deny', 'ask', 'allow'] as const).flatMap((verdict) =>
      rules
        .filter((rule) => rule.verdict === verdict)
        .map((rule) => ({
          key: `permissions.${verdict}`,
          value: rule.text,
          source: rule.source,
          counts: held.has(rule),
        })),
    ),
    ...roots.map(path('permissions.roots')),
  ]
}

/** The entries of a value that does not count as a whole: what it forbids does. */
function partsOf(value: SettingValue): SettingEntry[] {
  const { forbids, grants } = splitValue(value)
  return [
    ...(forbids ? [{ ...forbids, counts: true }] : []),
    ...(grants || !forbids ? [{ ...(grants ?? value), counts: false }] : []),
  ]
}
