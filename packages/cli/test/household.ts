import { PassThrough, Readable } from 'node:stream'
import { start as startProgram } from '../src/program.ts'
import { type Files, folderOf } from '../../../tests/helpers/folder.ts'
import { type Spawned, spawned, writtenBy } from './spawned.ts'
import { type CommandResult, startCommand, type StartOptions } from './start-command.ts'

/**
 * A folder, a home folder, and functions that run commands there, in this process or in separate
 * ones.
 */
export interface Household {
  readonly cwd: string
  readonly home: string
  /** Runs a command in this process. */
  readonly start: (words: readonly string[], more?: StartOptions) => Promise<CommandResult>
  /** Starts a run in this process without waiting for its end. */
  readonly begin: (words: readonly string[]) => Omit<Spawned, 'child'>
  /** Starts the built command in another process. */
  readonly spawn: (words: readonly string[]) => Spawned
}

/** A new folder with these files, and a new home. Objects are written as JSON. */
export function household(files: Files = {}, homeFiles: Files = {}): Household {
  const cwd = folderOf(files)
  const home = folderOf(homeFiles)
  const env = { HOME: home, NO_COLOR: '1' }
  return {
    cwd,
    home,
    start: (words, more = {}) =>
      startCommand(words, { cwd, ...more, env: { ...env, ...more.env } }),
    begin(words) {
      const [output, errors] = [new PassThrough(), new PassThrough()]
      const closed = startProgram(words, {
        input: Readable.from([]),
        hasInput: false,
        output,
        errors,
        env: { ...process.env, ...env },
        cwd,
      })
      return { ...writtenBy(output, errors, closed), ended: () => closed }
    },
    spawn: (words) =>
      spawned(['run', 'chat'].includes(words[0]!) ? [...words, '--cwd', cwd] : words, { env }),
  }
}
