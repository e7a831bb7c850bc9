import { changeUserSettings, userDirectories } from '@toolglot/workspace'
import { CommandError } from './command-error.ts'
import { visibleLine } from './show/visible.ts'
import type { Terminal } from './terminal.ts'

/** Sets a value in a person's own settings, or takes it out; gives the file, or says why it cannot be. */
export function changeSettings(path: string, value: unknown, { env }: Terminal): string {
  try {
    return changeUserSettings(userDirectories(env), path, value)
  } catch (error) {
    // Settings that cannot be read, a value that means nothing, a key, a disk that cannot be written.
    throw new CommandError('data', {
      expected: `to write ${visibleLine(path)} into your settings`,
      got: `this: ${visibleLine(error instanceof Error ? error.message : String(error))}`,
      advice: 'nothing was changed',
    })
  }
}
