import { join } from 'node:path'
import { type Addition, editSettings, type SettingsPath } from './edit-settings.ts'
import type { ReadOptions } from './read-settings.ts'
import { readSettingsText } from './settings-file.ts'
import type { UserDirectories } from '../user-directories.ts'
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
  return change(directories, typeof path === 'string' ? path : path.join(' '), (text, options) =>
    // There is nothing to remove from a file that does not exist.
    text === undefined && value === undefined
      ? undefined
      : editSettings(text ?? '', path, value, options),
  )
}

/** Adds something to a person's own settings. Returns the file; throws a UserError. */
export function addToUserSettings(directories: UserDirectories, { key, add }: Addition): string {
  return change(directories, key, (text, options) => add(text ?? '', options))
}

function change(
  directories: UserDirectories,
  what: string,
  edit: (text: string | undefined, options: ReadOptions) => string | undefined,
): string {
  const file = userSettingsFile(directories)
  try {
    const text = readSettingsText(file)
    const after = edit(text, { file, scope: 'user', root: directories.home })
    // If the settings file is a link, the link stays.
    if (after !== undefined && after !== text) writeWhole(realPathOrSame(file), after)
    return file
  } catch (error) {
    // Settings that cannot be read, an invalid value, a secret, a disk that cannot be written.
    throw new UserError('data', {
      expected: `to write ${visibleLine(what)} into your settings`,
      got: `this: ${visibleLine(error instanceof Error ? error.message : String(error))}`,
      advice: 'nothing was changed',
    })
  }
}
