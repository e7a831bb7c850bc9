import { changeUserSettings } from '../../settings/user-settings.ts'
import type { UserDirectories } from '../../user-directories.ts'

/** Saves how a model writes calls best, in a person's own settings. Returns the file; throws a UserError. */
export function saveProtocol(
  directories: UserDirectories,
  /** As it is stored: the one of the connected model. */
  reference: string,
  protocol: string,
): string {
  return changeUserSettings(directories, ['modelProtocols', reference], protocol)
}
