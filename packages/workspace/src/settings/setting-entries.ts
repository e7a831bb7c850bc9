import type { RuleSource } from '@toolglot/permissions'
import type { SettingValue } from './keys/key.ts'
import { byScope, type Settings, splitValue } from './merge-settings.ts'
import type { PathText, SettingsFile } from './settings-file.ts'

/** A value in a settings file. */
interface SettingEntry {
  /** The full key, such as `permissions.deny`. */
  readonly key: string
  readonly value: unknown
  readonly source: RuleSource
  /** True if the value has an effect. Values in an untrusted folder have none. */
  readonly counts: boolean
}

/**
 * Lists all values in settings files, strongest scope first, with their sources and whether they
 * have an effect.
 */
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

/** Lists the entries of a value that only partly applies: the part that forbids does. */
function partsOf(value: SettingValue): SettingEntry[] {
  const { forbids, grants } = splitValue(value)
  return [
    ...(forbids ? [{ ...forbids, counts: true }] : []),
    ...(grants || !forbids ? [{ ...(grants ?? value), counts: false }] : []),
  ]
}
