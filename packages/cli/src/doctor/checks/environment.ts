import type { Check } from '../check.ts'
import { colorsOf } from '../../terminal.ts'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const terminal: Check = {
  name: 'terminal',
  run({ terminal }) {
    const { output, env, ask } = terminal
    const { isColorSupported } = colorsOf(output, env)
    const reason = env['NO_COLOR'] ? ' (NO_COLOR)' : ''
    const colors = isColorSupported ? 'colors' : `no colors${reason}`
    const says = `${output.isTTY ? `${output.columns ?? 80} columns` : 'none'}, ${colors}`
    return ask
      ? { status: 'ok', says }
      : {
          status: 'ok',
          says: `${says}; there is no user to ask, so calls that need approval are denied`,
        }
  },
}

export const path: Check = {
  name: 'PATH',
  async run({ workspace: { folder }, terminal }) {
    const { untrustedPathFolders } = await import('@toolglot/tools/internal')
    const foreign = untrustedPathFolders(terminal.env['PATH'] ?? '', [folder])
    if (foreign.length === 0) return { status: 'ok', says: 'contains no folders of the workspace' }
    const names = foreign.map((folder) => folder || "''").join(', ')
    return {
      status: 'warning',
      says: `has ${names}: files in the workspace can replace any command, such as git`,
      advice: 'Remove it if you do not trust the workspace. npx adds node_modules/.bin.',
    }
  },
}

export const temporaryFiles: Check = {
  name: 'temporary files',
  async run() {
    try {
      const folder = await mkdtemp(join(tmpdir(), 'toolglot-doctor-'))
      await writeFile(join(folder, 'x'), 'x')
      await rm(folder, { recursive: true })
      return { status: 'ok', says: tmpdir() }
    } catch (error) {
      // The disk is full or read-only, or the folder does not exist.
      const says = `${tmpdir()} is not writable: ${(error as Error).message}`
      return { status: 'broken', says, advice: 'Set TMPDIR to a writable folder.' }
    }
  },
}
