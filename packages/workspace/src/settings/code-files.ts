import { readRules, type Rule } from '@toolglot/permissions'
import { resolvePath } from '../inside.ts'
import { settingsKeys } from './keys/index.ts'
import type { SettingValue } from './keys/key.ts'
import type { Settings } from './merge-settings.ts'
import type { PathText } from './settings-file.ts'

/** The files with code that a value names; undefined if it is no such value. */
export function codeFilesOf({ key, value, source }: SettingValue): PathText[] | undefined {
  if (!settingsKeys.find((each) => each.key === key)?.namesCode) return undefined
  // Keys that name code have lists of paths.
  return (value as readonly string[]).map((path) => ({ path, source }))
}

/** Rules that make every change of these files ask: they run, unsandboxed, when a workspace is opened next. */
export function codeRules(
  { protocols, values }: Pick<Settings, 'protocols' | 'values'>,
  home: string,
): readonly Rule[] {
  const files = [...protocols, ...values.flatMap((value) => codeFilesOf(value) ?? [])]
  return files.flatMap(({ path, source }) => {
    const file = resolvePath(path, source.root ?? home, home)
    const pattern = `/${file.replaceAll(/[\\*?[\]{}]/g, String.raw`\$&`)}`
    return readRules({ ask: [`Edit(${pattern})`] }, { source }).rules
  })
}
