import { grantsNothing } from '@toolglot/workspace'
import type { Check } from '../check.ts'

export const trust: Check = {
  name: 'trust',
  run({ workspace }) {
    const { folder: cwd, trust: state, trustedAt, grants } = workspace
    if (state === 'trusted') {
      const parent = trustedAt === cwd ? '' : `, because ${trustedAt} is`
      return { status: 'ok', says: `${cwd} is trusted${parent}` }
    }
    if (grantsNothing(grants))
      return { status: 'ok', says: `${cwd} has no settings that need trust` }
    const why = state === 'changed' ? 'have changed since they were trusted' : 'are not trusted'
    const says = `the settings of ${cwd} ${why}, so they can only deny or ask`
    return { status: 'warning', says, advice: 'To see what they would allow, run toolglot trust.' }
  },
}
