// Folder: Preparing a run.
import { resolve, sep } from 'node:path'
import { execute } from '@toolglot/agent'
import { addMentions, type PromptWithMentions } from '@toolglot/agent/context'
import type { Decision, FileSystemView } from '@toolglot/permissions'
import type { ChosenModel } from '../model/choose-model.ts'
import type { RunSetup } from '../prepare-run.ts'
import { UserError } from '../user-error.ts'
import { visibleLine } from '../visible.ts'

interface MentionOptions {
  readonly run: string
  readonly chosen: Pick<ChosenModel, 'protocol' | 'model'>
  readonly signal: AbortSignal
}

/**
 * Adds the contents of the files that a prompt mentions. Mentioning a file is approval to read it.
 * Files denied by a rule are not read, nor are links in the folder that point outside of it. For
 * the run, the files count as read. Throws a UserError for an image if the model does not accept
 * images.
 */
export async function withMentions(
  prompt: string,
  { tools, permissions, fileSystem }: Pick<RunSetup, 'tools' | 'permissions' | 'fileSystem'>,
  { run, chosen, signal }: MentionOptions,
): Promise<PromptWithMentions> {
  const images: string[] = []
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
          const target = linkTarget(path, decision, fileSystem)
          if (target === undefined) return { verdict: 'allow' }
          const reason = `it is a link to ${target}: mention that file instead`
          return { verdict: 'deny', reason }
        },
      },
    )
    if (outcome.status === 'success') {
      if (isImage(outcome.result)) images.push(path)
      return outcome.text
    }
    if (outcome.failure.error_type === 'not_found') return undefined
    throw new Error(outcome.failure.message)
  }
  const added = await addMentions(prompt, read, {
    protocol: typeof chosen.protocol === 'object' ? chosen.protocol : undefined,
  })
  const [image] = images
  if (image !== undefined && !chosen.model.images)
    throw new UserError(
      'data',
      `${visibleLine(image)} is an image, and ${chosen.model.name} does not accept images. The message was not sent. Remove the image or use another model.`,
    )
  return added
}

function isImage(result: unknown): boolean {
  return (Object(result) as { kind?: unknown }).kind === 'image'
}

/**
 * The target of a link that points outside of the folder. The target was chosen by the author of
 * the folder, not by the user who mentions the link.
 */
function linkTarget(
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
