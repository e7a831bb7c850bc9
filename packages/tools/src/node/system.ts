import * as promises from 'node:fs/promises'

/** What of the file system is used: a test puts another one in its place to let it fail. */
export type System = Pick<
  typeof promises,
  'link' | 'lstat' | 'mkdir' | 'open' | 'readdir' | 'readlink' | 'realpath' | 'rename' | 'rmdir'
> &
  Pick<typeof promises, 'stat' | 'unlink' | 'access'>

export const nodeSystem: System = promises
