import { changeUserSettings, userDirectories } from '@toolglot/workspace'
import { CommandError } from './command-error.ts'
import { visibleLine } from './show/visible.ts'
import type { Terminal } from './terminal.ts'

/** Sets a value in the user's settings, or removes it if undefined. Returns the file that was written. */
export function changeSettings(path: string, value: unknown, { env }: Terminal): string {
  try {
    return changeUserSettings(userDirectories(env), path, value)
  } catch (error) {
    // Unreadable settings, an invalid value, a provider's key, or a disk that cannot be written.
    throw new CommandError('data', {
      expected: `to write ${visibleLine(path)} to your settings`,
      got: `an error (${visibleLine(error instanceof Error ? error.message : String(error))})`,
      advice: 'nothing was changed',
    })
  }
}
