import { accessSync, constants } from 'node:fs'
import { makeFolder } from '@toolglot/agent/node/internal'
import { isInside } from './inside.ts'
import { UserError } from './user-error.ts'
import type { UserDirectories } from './user-directories.ts'
import { visibleLine } from './visible.ts'

/**
 * The folder for data that is kept after a command ends. A missing folder is created. Throws a
 * UserError if it is not writable.
 */
export function stateFolder({ state }: UserDirectories): string {
  try {
    makeFolder(state)
    accessSync(state, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw unwritable(state, error as NodeJS.ErrnoException)
  }
  return state
}

/**
 * Converts a system error in the state folder to a UserError. Returns undefined for other errors.
 */
export function stateProblem(error: unknown, { state }: UserDirectories): UserError | undefined {
  const { code, syscall, path } = Object(error) as Partial<NodeJS.ErrnoException>
  if (code === undefined || syscall === undefined || path === undefined) return undefined
  return isInside(path, state) ? unwritable(state, error as NodeJS.ErrnoException) : undefined
}

function unwritable(folder: string, { code, path }: NodeJS.ErrnoException): UserError {
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new UserError(
      'data',
      visibleLine(
        `No space left to write ${path ?? folder}. Free some space, or set XDG_STATE_HOME to a folder on another disk.`,
      ),
    )
  const where = path === undefined || path === folder ? '' : ` at ${path}`
  return new UserError(
    'data',
    visibleLine(
      `The state folder ${folder} is not writable (${REASONS[code ?? ''] ?? code}${where}). Set XDG_STATE_HOME to a writable folder`,
    ),
  )
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EEXIST: 'it is a file',
  ENOENT: 'it cannot be created',
  ENOTDIR: 'part of its path is a file',
  EPERM: 'not permitted',
  EROFS: 'the file system is read-only',
}
