import { readTextFile } from '@toolglot/permissions/node/internal'

/** Larger settings are an error. */
export const MAX_SETTINGS_BYTES: number = 1 << 20

/** The text of a settings file; undefined if it does not exist. Throws a TypeError if it cannot be read. */
export function readSettingsText(file: string): string | undefined {
  const content = readTextFile(file, MAX_SETTINGS_BYTES)
  if ('missing' in content) return undefined
  if ('reason' in content) throw new TypeError(`${file}: ${content.reason}`)
  return content.text
}
