import { lstatSync, readlinkSync, realpathSync } from 'node:fs'
import * as promises from 'node:fs/promises'

/** What of the file system is used: a test puts another one in its place to let it fail. */
export type FileSystemCalls = Pick<
  typeof promises,
  'access' | 'link' | 'lstat' | 'mkdir' | 'open' | 'readdir' | 'readlink' | 'realpath' | 'rename'
> &
  Pick<typeof promises, 'rmdir' | 'stat' | 'unlink'>

/** To look at a name takes microseconds, ten times less than to have another thread do it. */
export const nodeFileSystemCalls: FileSystemCalls = {
  ...promises,
  lstat: (async (path: string, options?: { bigint: true }) =>
    lstatSync(path, options)) as FileSystemCalls['lstat'],
  readlink: (async (path: string) => readlinkSync(path)) as FileSystemCalls['readlink'],
  realpath: (async (path: string) => realpathSync.native(path)) as FileSystemCalls['realpath'],
}
