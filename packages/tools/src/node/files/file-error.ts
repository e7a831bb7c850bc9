import { ToolError } from '@toolglot/agent'

/** A failure of the file system, in words that the model can act on. */
export function fileError(error: unknown, path: string): unknown {
  if (error instanceof ToolError || !(error instanceof Error)) return error
  const code = errorCodeOf(error)
  const failure = code === undefined ? undefined : FAILURES[code]
  if (code === undefined) return error
  const [type, why] = failure ?? (['execution_failed', error.message] as const)
  return new ToolError(type, `${path}: ${why}`, { code, path }, { cause: error })
}

/** The system's code of a failure: `ENOENT`. */
export function errorCodeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

const DENIED = 'the system does not permit it. Choose another file, or ask the user.'

const FAILURES: Readonly<Record<string, readonly [ToolError['errorType'], string]>> = {
  ENOENT: ['not_found', 'there is no such file or folder.'],
  ENOTDIR: ['not_found', 'a part of this path is a file, not a folder.'],
  EACCES: ['permission_denied', DENIED],
  EPERM: ['permission_denied', DENIED],
  EROFS: ['permission_denied', 'the file system is read-only.'],
  ETXTBSY: ['permission_denied', 'it is a program that is running now.'],
  EISDIR: ['invalid_input', 'it is a folder; expected a file.'],
  ELOOP: ['invalid_input', 'its links lead in a circle, or to another link than before.'],
  ENAMETOOLONG: ['invalid_input', 'the name is too long.'],
  ERR_INVALID_ARG_VALUE: ['invalid_input', 'expected a path without NUL characters.'],
  ENOSPC: ['execution_failed', 'the disk is full; nothing was changed.'],
  EDQUOT: ['execution_failed', "the user's share of the disk is full; nothing was changed."],
  EMFILE: ['execution_failed', 'too many files are open; try again.'],
}

/** What is said when a path led elsewhere a moment ago. */
export function swappedError(path: string): ToolError {
  return new ToolError(
    'permission_denied',
    `${path} was replaced by something else while it was opened. Nothing was read or written; look at it again.`,
    { code: 'swapped', path },
  )
}

export function changedError(path: string): ToolError {
  return new ToolError(
    'execution_failed',
    `${path} was changed by someone else in the meantime; nothing was written. Read it again, then repeat the change.`,
    { code: 'changed_meanwhile', path },
  )
}
