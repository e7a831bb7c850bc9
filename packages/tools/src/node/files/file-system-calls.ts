import { lstatSync, readlinkSync, realpathSync, type BigIntStats } from 'node:fs'
import * as promises from 'node:fs/promises'
import { ToolError } from '@toolglot/agent'
import type { FileFacts } from '../../host/files.ts'

/** The `node:fs/promises` functions in use. Tests pass their own to inject failures. */
export type FileSystemCalls = Pick<
  typeof promises,
  'access' | 'link' | 'lstat' | 'mkdir' | 'open' | 'readdir' | 'readlink' | 'realpath' | 'rename'
> &
  Pick<typeof promises, 'rmdir' | 'stat' | 'unlink'>

/** Node's own functions. Looking up a name synchronously takes microseconds, a tenth of what the thread pool needs. */
export const nodeFileSystemCalls: FileSystemCalls = {
  ...promises,
  lstat: (async (path: string, options?: { bigint: true }) =>
    lstatSync(path, options)) as FileSystemCalls['lstat'],
  readlink: (async (path: string) => readlinkSync(path)) as FileSystemCalls['readlink'],
  realpath: (async (path: string) => realpathSync.native(path)) as FileSystemCalls['realpath'],
}

/** Converts `stat` results to `FileFacts`. */
export function factsOf(stats: BigIntStats, path: string): FileFacts {
  return {
    path,
    kind: kindOf(stats),
    id: `${stats.dev}:${stats.ino}`,
    size: Number(stats.size),
    mtimeNs: stats.mtimeNs,
    mode: Number(stats.mode) & 0o7777,
    owner: { user: Number(stats.uid), group: Number(stats.gid) },
  }
}

function kindOf(stats: BigIntStats): FileFacts['kind'] {
  if (stats.isFile()) return 'file'
  if (stats.isDirectory()) return 'folder'
  if (stats.isFIFO()) return 'pipe'
  return stats.isSocket() ? 'socket' : 'device'
}

/** Converts a file system error to a `ToolError` with advice for the model. */
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
  EISDIR: ['invalid_input', 'it is a folder, not a file.'],
  ELOOP: ['invalid_input', 'its links form a loop, or a link was swapped in.'],
  ENAMETOOLONG: ['invalid_input', 'the name is too long.'],
  ERR_INVALID_ARG_VALUE: ['invalid_input', 'a path cannot contain NUL characters.'],
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
    `${path} was changed by another program; nothing was written. Read it again, then repeat the change.`,
    { code: 'changed_meanwhile', path },
  )
}
