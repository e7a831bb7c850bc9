import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Check } from '../check.ts'

export const temporaryFiles: Check = {
  name: 'temporary files',
  async run() {
    try {
      const folder = await mkdtemp(join(tmpdir(), 'toolglot-doctor-'))
      await writeFile(join(folder, 'x'), 'x')
      await rm(folder, { recursive: true })
      return { status: 'ok', says: tmpdir() }
    } catch (error) {
      // The disk is full or read-only, or there is no such folder.
      const says = `${tmpdir()} is not writable: ${(error as Error).message}`
      return { status: 'broken', says, advice: 'Set TMPDIR to a writable folder.' }
    }
  },
}
