import { constants } from 'node:fs'
import { type FileHandle, open, readlink, realpath, stat } from 'node:fs/promises'
import { ToolError } from '@toolglot/agent'

/** A file or folder that stays the same one, whatever happens to its name. */
export interface Pinned {
  readonly handle: FileHandle
  /** Its name without links. */
  readonly real: string
  readonly isFolder: boolean
  readonly isFile: boolean
}

/** Opens what a path leads to. Nothing is waited for: a pipe that nobody writes to opens at once. */
export async function pin(path: string): Promise<Pinned> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const status = await handle.stat()
    return {
      handle,
      real: await realName(handle, path),
      isFolder: status.isDirectory(),
      isFile: status.isFile(),
    }
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** The folder to start a program in, so that it starts in this very folder. */
export function placeOf({ handle, real }: Pinned): string {
  return LINUX ? `/proc/${process.pid}/fd/${handle.fd}` : real
}

const LINUX = process.platform === 'linux'

async function realName(handle: FileHandle, path: string): Promise<string> {
  // Linux knows the name of what is open.
  if (LINUX) return readlink(`/proc/self/fd/${handle.fd}`)
  const name = await realpath(path)
  const [opened, named] = await Promise.all([handle.stat(), stat(name)])
  if (opened.ino !== named.ino || opened.dev !== named.dev)
    throw new Error(`${path} was replaced while it was opened.`)
  return name
}

/** The same, with a failure that a model can act on. */
export async function openPlace(path: string): Promise<Pinned> {
  try {
    return await pin(path)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT' || code === 'ENOTDIR')
      throw new ToolError('not_found', `There is no ${path}.`, { path }, { cause: error })
    if (code === 'EACCES' || code === 'EPERM')
      throw new ToolError('permission_denied', `${path} may not be read.`, { path })
    throw error
  }
}
