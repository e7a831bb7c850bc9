import { settingsKeys } from './keys/index.ts'
import type { SettingValue } from './keys/key.ts'
import type { PathText } from './settings-file.ts'

/** The files with code that a value names; undefined if it is no such value. */
export function codeFilesOf({ key, value, source }: SettingValue): PathText[] | undefined {
  if (!settingsKeys.find((each) => each.key === key)?.namesCode) return undefined
  // Keys that name code have lists of paths.
  return (value as readonly string[]).map((path) => ({ path, source }))
}
