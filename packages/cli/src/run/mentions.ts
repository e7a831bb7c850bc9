import { resolve, sep } from 'node:path'
import { execute } from '@toolglot/agent'
import { addMentions } from '@toolglot/agent/context'
import type { Decision, FileSystemView } from '@toolglot/permissions'
import type { ChosenModel, RunSetup } from '@toolglot/workspace'

export interface WithMentions {
  readonly content: string
  /** The files' texts: a stranger may have written them. */
  readonly untrusted: readonly string[]
  /** What could not be brought, and why. */
  readonly notes: readonly string[]
}

interface Mentioning {
  readonly run: string
  readonly chosen: Pick<ChosenModel, 'protocol'>
  readonly signal: AbortSignal
}

/**
 * A prompt with the files that it mentions. Who mentions a file wants it read, so nobody is asked; what a rule denies is
 * not read, nor what a link in the folder makes of a name. To the run it counts as read.
 */
export async function withMentions(
  prompt: string,
  { tools, permissions, fileSystem }: RunSetup,
  { run, chosen, signal }: Mentioning,
): Promise<WithMentions> {
  const read = async (path: string): Promise<string | undefined> => {
    const outcome = await execute(
      { id: 'mention', name: 'Read', args: { file_path: path } },
      {
        tools,
        permissions,
        fileSystem,
        signal,
        run,
        approve: async ({ decision }) => {
          const out = wayOut(path, decision, fileSystem)
          if (out === undefined) return { verdict: 'allow' }
          const reason = `it is a link to ${out}: mention that, if you mean it`
          return { verdict: 'deny', reason }
        },
      },
    )
    if (outcome.status === 'success') return outcome.text
    if (outcome.failure.error_type === 'not_found') return undefined
    throw new Error(outcome.failure.message)
  }
  const { content, untrusted, missing } = await addMentions(prompt, read, {
    ...(typeof chosen.protocol === 'object' && { protocol: chosen.protocol }),
  })
  return { content, untrusted, notes: missing.map(({ path, reason }) => `@${path}: ${reason}`) }
}

/** Where a name in the folder leads to that lies outside: whoever made the folder chose that, not who mentions it. */
function wayOut(
  path: string,
  { parts }: Decision,
  { cwd, roots }: FileSystemView,
): string | undefined {
  const isInside = (place: string): boolean =>
    [cwd, ...roots].some((root) => place === root || place.startsWith(root + sep))
  if (path.startsWith('~') || !isInside(resolve(cwd, path))) return undefined
  return parts
    .flatMap(({ real }) => (real === undefined ? [] : [real]))
    .find((real) => !isInside(real))
}
