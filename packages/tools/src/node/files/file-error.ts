import { ToolError } from '@toolglot/agent'

/** Turns a file system error into a `ToolError` that the model can act on. */
export function fileError(error: unknown, path: string): unknown {
  if (error instanceof ToolError || !(error instanceof Error)) return error
  const code = errorCodeOf(error)
  const failure = code === undefined ? undefined : FAILURES[code]
  if (code === undefined) return error
  const [type, why] = failure ?? (['execution_failed', error.message] as const)
  return new ToolError(type, `${path}: ${why}`, { code, path }, { cause: error })
}

/** The system error code, such as `ENOENT`. */
export function errorCodeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

const DENIED = 'permission denied by the system. Choose another file, or ask the user.'

const FAILURES: Readonly<Record<string, readonly [ToolError['errorType'], string]>> = {
  ENOENT: ['not_found', 'no such file or folder.'],
  ENOTDIR: ['not_found', 'part of this path is a file, not a folder.'],
  EACCES: ['permission_denied', DENIED],
  EPERM: ['permission_denied', DENIED],
  EROFS: ['permission_denied', 'the file system is read-only.'],
  ETXTBSY: ['permission_denied', 'it is a running program.'],
  EISDIR: ['invalid_input', 'it is a folder; expected a file.'],
  ELOOP: ['invalid_input', 'its links form a loop, or a link was swapped in.'],
  ENAMETOOLONG: ['invalid_input', 'the name is too long.'],
  ERR_INVALID_ARG_VALUE: ['invalid_input', 'expected a path without NUL characters.'],
  ENOSPC: ['execution_failed', 'the disk is full; nothing was changed.'],
  EDQUOT: ['execution_failed', 'the disk quota is exceeded; nothing was changed.'],
  EMFILE: ['execution_failed', 'too many files are open; try again.'],
}

/** The error for a path that was swapped while it was being opened. */
export function swappedError(path: string): ToolError {
  return new ToolError(
    'permission_denied',
    `${path} was replaced while it was being opened. Nothing was read or written. Try again.`,
    { code: 'swapped', path },
  )
}

/** The error for a file that changed since it was last seen. */
export function changedError(path: string): ToolError {
  return new ToolError(
    'execution_failed',
    `${path} was changed by someone else; nothing was written. Read it again, then repeat the change.`,
    { code: 'changed_meanwhile', path },
  )
}
