import type { RuleSource } from '@toolglot/permissions'
import type { Item } from '../item.ts'

/**
 * A key at the top of settings that is not about permissions. In the settings that come with a folder it counts only
 * once a person trusted the folder, whatever it says.
 */
export interface SettingsKey<Value> {
  readonly key: string
  /** It counts nowhere but in a person's or the machine's own settings. */
  readonly isOwn?: true
  /** Its values are lists of files whose code is loaded: their content is part of what a person trusts. */
  readonly namesCode?: true
  /** What stands there; undefined, and said why, where that is not what is expected. */
  read(item: Item, wrong: (line: number, reason: string) => void): Value | undefined
}

/** What somebody's settings say under a key. */
export interface SettingValue<Value = unknown> {
  readonly key: string
  readonly value: Value
  readonly source: RuleSource
}

/** What was said under a key, the strongest scope first. */
export function settingValues<Value>(
  { values }: { readonly values: readonly SettingValue[] },
  { key }: SettingsKey<Value>,
): readonly SettingValue<Value>[] {
  // Only the key's own reader made these values.
  return values.filter((saying) => saying.key === key) as readonly SettingValue<Value>[]
}
