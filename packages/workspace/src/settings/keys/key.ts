import type { Source } from '@toolglot/permissions'
import type { Item } from '../item.ts'

/**
 * A key at the top of settings that is not about permissions. In the settings that come with a folder it counts only
 * once a person trusted the folder, whatever it says.
 */
export interface SettingsKey<Value> {
  readonly key: string
  /** It counts nowhere but in a person's or the machine's own settings. */
  readonly isOwn?: true
  /** What stands there; undefined, and said why, where that is not what is expected. */
  read(item: Item, wrong: (line: number, reason: string) => void): Value | undefined
}

/** What somebody's settings say under a key. */
export interface Saying<Value = unknown> {
  readonly key: string
  readonly value: Value
  readonly source: Source
}

/** What was said under a key, the strongest scope first. */
export function saidOf<Value>(
  { sayings }: { readonly sayings: readonly Saying[] },
  { key }: SettingsKey<Value>,
): readonly Saying<Value>[] {
  // Only the key's own reader made these values.
  return sayings.filter((saying) => saying.key === key) as readonly Saying<Value>[]
}
