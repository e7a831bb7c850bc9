import { accessSync, constants } from 'node:fs'
import { makeFolder } from '@toolglot/agent/internal'
import { isInside, userDirectories } from '@toolglot/workspace'
import { CommandError } from '../command-error.ts'
import { visibleLine } from '../show/visible.ts'
import type { Terminal } from '../terminal.ts'

/** The folder for what outlives a command. It is made if it is not there, and can be written in. */
export function stateFolder({ env }: Pick<Terminal, 'env'>): string {
  const folder = userDirectories(env).state
  try {
    makeFolder(folder)
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw unwritable(folder, error as NodeJS.ErrnoException)
  }
  return folder
}

/** A failure of the system in the state folder, as a command says it; undefined for any other. */
export function stateProblem(error: unknown, { env }: Terminal): CommandError | undefined {
  const { code, syscall, path } = Object(error) as Partial<NodeJS.ErrnoException>
  const folder = userDirectories(env).state
  if (code === undefined || syscall === undefined || path === undefined) return undefined
  return isInside(path, folder) ? unwritable(folder, error as NodeJS.ErrnoException) : undefined
}

function unwritable(folder: string, { code, path }: NodeJS.ErrnoException): CommandError {
  const where = path === undefined || path === folder ? '' : ` at ${path}`
  return new CommandError('data', {
    expected: 'a state folder that can be written',
    got: visibleLine(`${folder}, which cannot (${REASONS[code ?? ''] ?? code}${where})`),
    advice: 'set XDG_STATE_HOME to a folder that can',
  })
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EDQUOT: 'the quota is used up',
  EEXIST: 'there is a file',
  ENOENT: 'nothing can be made there',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a file is on the way to it',
  EPERM: 'not permitted',
  EROFS: 'the file system is read-only',
}
