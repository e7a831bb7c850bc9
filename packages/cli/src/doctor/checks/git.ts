import type { Check } from '../check.ts'
import { versionOf } from '../program.ts'

export const git: Check = {
  name: 'git',
  async look(place) {
    const { findProgramOnPath } = await import('@toolglot/tools/internal')
    const program = findProgramOnPath('git', place.terminal.env['PATH'] ?? '', [
      place.workspace.folder,
    ])
    return program === undefined
      ? { status: 'missing', says: 'not on the PATH', advice: 'Install it, if the work needs it.' }
      : { status: 'ok', says: `${await versionOf(program, place)}, ${program}` }
  },
}
