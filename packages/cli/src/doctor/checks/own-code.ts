import { knownProtocols, UserError } from '@toolglot/workspace'
import type { Check, Finding } from '../check.ts'

/** Loads the tools and protocols that settings name, as a run does. */
export const ownCode: Check = {
  name: 'own code',
  async run({ workspace }) {
    return [
      // A run loads all tools, so that rules can name them.
      ...(await load('tools', 'broken', async () => [...(await workspace.ownTools()).keys()])),
      ...(await load('protocols', 'warning', async () =>
        (await knownProtocols(workspace)).own.map(({ id }) => id),
      )),
    ]
  },
}

/** What was loaded, or why not. Nothing if there is nothing to load. */
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
