import { accessSync, constants, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Check, Finding } from '../check.ts'

export const state: Check = {
  name: 'state',
  look({ machine }) {
    const folder = machine.state
    const found = statSync(folder, { throwIfNoEntry: false })
    if (!found) return missing(folder)
    const says = `${folder}, mode ${(found.mode & 0o777).toString(8)}`
    if (!found.isDirectory())
      return { status: 'broken', says: `${folder} is no folder`, advice: 'Move it away.' }
    if (!isWritable(folder))
      return { status: 'broken', says: `${says}, not writable`, advice: 'Give yourself the right.' }
    return (found.mode & 0o077) === 0
      ? { status: 'ok', says }
      : { status: 'warning', says, advice: `Others can look into it: chmod 700 ${folder}` }
  },
}

function missing(folder: string): Finding {
  let near = dirname(folder)
  while (!statSync(near, { throwIfNoEntry: false }) && near !== '/') near = dirname(near)
  return isWritable(near)
    ? { status: 'ok', says: `${folder} is made when it is needed` }
    : { status: 'broken', says: `${folder} cannot be made`, advice: 'Set XDG_STATE_HOME.' }
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    return true
  } catch {
    // It may not be written in.
    return false
  }
}
