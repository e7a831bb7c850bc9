import type { Check } from '../check.ts'
import { findProgram, versionOf } from '../program.ts'

export const git: Check = {
  name: 'git',
  async look(place) {
    const program = findProgram('git', place)
    return program === undefined
      ? { status: 'missing', says: 'not on the PATH', advice: 'Install it, if the work needs it.' }
      : { status: 'ok', says: `${await versionOf(program, place)}, ${program}` }
  },
}
