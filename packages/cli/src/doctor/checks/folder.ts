import { printProblem } from '@toolglot/workspace/internal'
import type { Check, Finding } from '../check.ts'
import { grantsNothing, knownProtocols, UserError } from '@toolglot/workspace'

export const settings: Check = {
  name: 'settings',
  run({ workspace: { files, settings: merged } }) {
    const found = files.map(({ file }): Finding => ({ status: 'ok', says: file }))
    const problems = merged.problems.map((problem): Finding => ({
      status: 'warning',
      says: printProblem(problem),
      advice: 'Until this is fixed, every call needs approval.',
    }))
    const warnings = merged.warnings.map((warning): Finding => ({
      status: 'warning',
      says: printProblem(warning),
    }))
    const all = [...found, ...problems, ...warnings]
    return all.length > 0 ? all : { status: 'ok', says: 'none, so the defaults apply' }
  },
}

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

/** Loads the tools and protocols from the settings, as a run does. */
export const ownCode: Check = {
  name: 'own code',
  async run({ workspace }) {
    return [
      // A run loads all tools, so that rules can refer to them.
      ...(await load('tools', 'broken', async () => [...(await workspace.ownTools()).keys()])),
      ...(await load('protocols', 'warning', async () =>
        (await knownProtocols(workspace)).own.map(({ id }) => id),
      )),
    ]
  },
}

/** The names of loaded items, or the problem. Empty if there is nothing to load. */
async function load(
  what: string,
  failed: Finding['status'],
  work: () => Promise<readonly string[]>,
): Promise<Finding[]> {
  try {
    const names = await work()
    return names.length === 0 ? [] : [{ status: 'ok', says: `${what}: ${names.join(', ')}` }]
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return [{ status: failed, says: `${what}: ${error.message}` }]
  }
}
