import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { ToolError } from '@toolglot/agent'

/** An open file or folder, which remains the same even if its name changes. */
export interface OpenPath {
  readonly descriptor: number
  /** The real path. */
  readonly real: string
  readonly isFolder: boolean
  readonly isFile: boolean
}

/**
 * Opens the target of a path, without blocking on pipes. Synchronous, because opening hundreds of
 * files through promises takes ten times as long.
 */
export function openPath(path: string): OpenPath {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const status = fstatSync(descriptor)
    const real = realPathOf(descriptor, path)
    return { descriptor, real, isFolder: status.isDirectory(), isFile: status.isFile() }
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

/** Closes what `openPath` opened. */
export function closePath({ descriptor }: OpenPath): void {
  closeSync(descriptor)
}

/** The path to use as working folder for a program, so that it starts in this very folder. */
export function cwdOf({ descriptor, real }: OpenPath): string {
  return LINUX ? `/proc/${process.pid}/fd/${descriptor}` : real
}

const LINUX = process.platform === 'linux'

function realPathOf(descriptor: number, path: string): string {
  // Linux reports the path of a descriptor.
  if (LINUX) return readlinkSync(`/proc/self/fd/${descriptor}`)
  const name = realpathSync.native(path)
  const [opened, named] = [fstatSync(descriptor), statSync(name)]
  if (opened.ino !== named.ino || opened.dev !== named.dev)
    throw new Error(`${path} was replaced while it was opened.`)
  return name
}

/** Like `openPath`, but throws errors with advice for the model. */
export function openSearchPath(path: string): OpenPath {
  try {
    return openPath(path)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT' || code === 'ENOTDIR')
      throw new ToolError('not_found', `${path} does not exist.`, { path }, { cause: error })
    if (code === 'EACCES' || code === 'EPERM')
      throw new ToolError('permission_denied', `${path} is not readable: permission denied.`, {
        path,
      })
    throw error
  }
}
