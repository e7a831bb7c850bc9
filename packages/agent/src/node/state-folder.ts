import { isAbsolute, join, dirname } from 'node:path'
import { mkdirSync, statSync } from 'node:fs'
import { homeDirectory } from '@toolglot/permissions/node'

/** The folder for data that is kept between runs, based on the environment. */
export function stateFolder(env: Readonly<Record<string, string | undefined>>): string {
  const { XDG_STATE_HOME } = env
  const state =
    XDG_STATE_HOME && isAbsolute(XDG_STATE_HOME)
      ? XDG_STATE_HOME
      : join(homeDirectory(env), '.local/state')
  return join(state, 'toolglot')
}

/**
 * Creates a folder that only its owner can access, and missing parents. Node's `recursive` option
 * never returns if a folder exists but reports ENOENT when something is created in it, as `/proc`
 * does.
 */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if (isFolder(folder)) return
    const parent = dirname(folder)
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || isFolder(parent)) throw error
    makeFolder(parent)
    // Another process may have created it in the meantime.
    if (!isFolder(folder)) makeFolder(folder)
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
  } catch {
    return false // A parent is a file, or access is denied.
  }
}
