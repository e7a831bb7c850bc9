import { folderWith } from './folder.ts'
import { type Spawned, spawned } from './spawned.ts'
import { type CommandResult, startCommand, type StartOptions } from './start-command.ts'

/** A folder and a home, and commands in them: in this process, and in others. */
export interface Household {
  readonly cwd: string
  readonly home: string
  /** Runs a command in this process. */
  readonly start: (words: readonly string[], more?: StartOptions) => Promise<CommandResult>
  /** Starts the built command in another process. */
  readonly spawn: (words: readonly string[]) => Spawned
}

/** A new folder with these files, and a new home. */
export function household(files: Readonly<Record<string, string>> = {}): Household {
  const cwd = folderWith(files)
  const home = folderWith()
  const env = { HOME: home, NO_COLOR: '1' }
  return {
    cwd,
    home,
    start: (words, more = {}) =>
      startCommand(words, { cwd, ...more, env: { ...env, ...more.env } }),
    spawn: (words) =>
      spawned(['run', 'chat'].includes(words[0]!) ? [...words, '--cwd', cwd] : words, { env }),
  }
}
