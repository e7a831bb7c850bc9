import {
  accessSync,
  constants,
  mkdtempSync,
  realpathSync,
  rmdirSync,
  type Stats,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { Check, Finding } from '../check.ts'

export const state: Check = {
  name: 'state',
  run({ workspace }) {
    const folder = workspace.directories.state
    const found = statOf(folder)
    if (!found) return missing(folder)
    const says = `${folder}, mode ${(found.mode & 0o777).toString(8)}`
    if (!found.isDirectory())
      return {
        status: 'broken',
        says: `${folder} is not a folder`,
        advice: `Move it elsewhere. ${ELSEWHERE}`,
      }
    if (!isWritable(folder))
      return { status: 'broken', says: `${says}, not writable`, advice: ELSEWHERE }
    return (found.mode & 0o077) === 0
      ? { status: 'ok', says }
      : {
          status: 'warning',
          says,
          advice: `Other users can read it: chmod 700 ${realpathSync(folder)}`,
        }
  },
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined // One of the parents is a file.
  }
}

function missing(folder: string): Finding {
  let near = dirname(folder)
  while (!statOf(near) && near !== '/') near = dirname(near)
  return canCreateIn(near)
    ? { status: 'ok', says: `${folder} will be created when needed` }
    : { status: 'broken', says: `${folder} cannot be created`, advice: ELSEWHERE }
}

const ELSEWHERE = 'Set XDG_STATE_HOME to a writable folder.'

/** Permission bits are not sufficient: in /proc, root has all of them. */
function canCreateIn(folder: string): boolean {
  try {
    rmdirSync(mkdtempSync(join(folder, '.toolglot-')))
    return true
  } catch {
    return false // No entry can be created there.
  }
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    return true
  } catch {
    // No permission to write.
    return false
  }
}
