import type { Check } from '../check.ts'
import { versionOf } from '../version-of.ts'

export const git: Check = {
  name: 'git',
  async run(place) {
    const { findProgramOnPath } = await import('@toolglot/tools/internal')
    const program = findProgramOnPath('git', place.terminal.env['PATH'] ?? '', [
      place.workspace.folder,
    ])
    return program === undefined
      ? { status: 'missing', says: 'not on the PATH', advice: 'Install it if you use it.' }
      : { status: 'ok', says: `${await versionOf(program, place)}, ${program}` }
  },
}
