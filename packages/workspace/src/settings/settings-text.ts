import { decodeUtf8, readRegularFile } from '@toolglot/agent/node/internal'

/** Larger settings are an error. */
export const MAX_SETTINGS_BYTES: number = 1 << 20

/** The text of a settings file; undefined if it does not exist. Throws a TypeError if it cannot be read. */
export function readSettingsText(file: string): string | undefined {
  const content = readRegularFile(file, MAX_SETTINGS_BYTES)
  if ('missing' in content) return undefined
  const text = 'bytes' in content ? decodeUtf8(content.bytes) : undefined
  if (text !== undefined) return text
  throw new TypeError(`${file}: ${'reason' in content ? content.reason : 'it is not UTF-8'}`)
}
