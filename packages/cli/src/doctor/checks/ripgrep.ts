import type { Check } from '../check.ts'
import { versionOf } from '../version-of.ts'

export const ripgrep: Check = {
  name: 'ripgrep',
  async run(place) {
    const { findRipgrep } = await import('@toolglot/tools/internal')
    const { env } = place.terminal
    try {
      const program = await findRipgrep({ environment: env, roots: [place.workspace.folder] })
      return { status: 'ok', says: `${await versionOf(program, place)}, ${program}` }
    } catch (error) {
      // It is missing, or does not run.
      const advice = 'Glob and Grep need it. Reinstall Toolglot, or set RG_PATH.'
      return { status: 'broken', says: (error as Error).message, advice }
    }
  },
}
