import { join } from 'node:path'
import { editSettings, type SettingsPath } from './edit-settings.ts'
import type { UserDirectories } from '../user-directories.ts'
import { decodeUtf8, readRegularFile } from '@toolglot/agent/internal'
import { realPathOrSame } from '../inside.ts'
import { UserError } from '../user-error.ts'
import { visibleLine } from '../visible.ts'
import { writeWhole } from '../write-whole.ts'

/** Where a person's own settings are. */
export function userSettingsFile({ config }: Pick<UserDirectories, 'config'>): string {
  return join(config, 'settings.json')
}

/** Sets a value in a person's own settings, or removes it if it is undefined. Returns the file; throws a UserError. */
export function changeUserSettings(
  directories: UserDirectories,
  path: SettingsPath,
  value: unknown,
): string {
  try {
    return change(directories, path, value)
  } catch (error) {
    // Settings that cannot be read, an invalid value, a secret, a disk that cannot be written.
    throw new UserError('data', {
      expected: `to write ${visibleLine(path)} into your settings`,
      got: `this: ${visibleLine(error instanceof Error ? error.message : String(error))}`,
      advice: 'nothing was changed',
    })
  }
}

function change(directories: UserDirectories, path: SettingsPath, value: unknown): string {
  const file = userSettingsFile(directories)
  const text = textIn(file)
  // There is nothing to remove from a file that does not exist.
  if (text === undefined && value === undefined) return file
  const options = { file, scope: 'user', root: directories.home } as const
  // If the settings file is a link, the link stays.
  writeWhole(realPathOrSame(file), editSettings(text ?? '', path, value, options))
  return file
}

function textIn(file: string): string | undefined {
  const content = readRegularFile(file, 1 << 20)
  if ('missing' in content) return undefined
  const text = 'bytes' in content ? decodeUtf8(content.bytes) : undefined
  if (text !== undefined) return text
  throw new TypeError(`${file}: ${'reason' in content ? content.reason : 'it is not UTF-8'}`)
}
