import { addMentions, execute } from '@toolglot/agent'
import type { Workplace } from '../read/workplace.ts'

export interface WithMentions {
  readonly content: string
  /** The files' texts: a stranger may have written them. */
  readonly untrusted: readonly string[]
  /** What could not be brought, and why. */
  readonly notes: readonly string[]
}

/**
 * A prompt with the files that it mentions. Who mentions a file wants it read, so nobody is asked; what a rule denies is
 * not read. To the run it counts as read.
 */
export async function withMentions(
  prompt: string,
  { tools, permissions, world }: Workplace,
  { run, signal }: { readonly run: string; readonly signal: AbortSignal },
): Promise<WithMentions> {
  const read = async (path: string): Promise<string | undefined> => {
    const outcome = await execute(
      { id: 'mention', name: 'Read', args: { file_path: path } },
      { tools, permissions, world, signal, run, approve: async () => ({ verdict: 'allow' }) },
    )
    if (outcome.status === 'success') return outcome.text
    if (outcome.failure.error_type === 'not_found') return undefined
    throw new Error(outcome.failure.message)
  }
  const { content, untrusted, missing } = await addMentions(prompt, read)
  return { content, untrusted, notes: missing.map(({ path, reason }) => `@${path}: ${reason}`) }
}
