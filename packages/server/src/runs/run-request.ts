import type { Limits, RunOptions } from '@toolglot/agent'
import { type Content, printFileBlock } from '@toolglot/agent/context'
import { type ChosenModel, type RunSetup, withMentions } from '@toolglot/workspace'

/** The fields shared by every request that starts a run. */
export interface RunRequest {
  readonly prompt?: string | undefined
  readonly attachments?: readonly Attachment[] | undefined
  /**
   * The model to use. Default: the run's previous model, the one in the folder's settings, or one
   * that is found.
   */
  readonly model?: string | undefined
  /** The id of a protocol, `native` or `auto`. */
  readonly protocol?: string | undefined
  /** Replaces the default system prompt. */
  readonly system?: string | undefined
  readonly limits?: Partial<Limits> | undefined
  /** Rules and a mode for this run only, which also apply when it is continued. */
  readonly permissions?: RunOptions['given'] | undefined
}

/** A run to resume. */
export interface ResumeRequest extends RunRequest {
  /** Continue even if the model, the protocol or the tools have changed. */
  readonly acceptChanges?: boolean | undefined
}

/** A run to copy. */
export interface ForkRequest extends RunRequest {
  /** The first turn that is not copied. Default: copy all turns. */
  readonly turn?: number | undefined
  /** Undo the file changes of the turns that are not copied. */
  readonly restoreFiles?: boolean | undefined
}

/** A run that was started, resumed or forked. */
export interface StartedRun {
  readonly run: string
  readonly folder: string
  readonly model: string
  /** The reason for choosing this model. */
  readonly why: string
  /** Warnings: problems with settings, files that could not be attached or restored. */
  readonly warnings: readonly string[]
}

/** An attachment of a prompt. */
export type Attachment =
  /** A text file of the user's, outside the folder. */
  | { readonly type: 'text'; readonly name: string; readonly text: string }
  /** An image as a `data:` URL. */
  | { readonly type: 'image'; readonly url: string }

/** A prompt with its attachments. */
export interface ComposedPrompt {
  readonly prompt: Content
  /** The contents of files, which may come from untrusted sources. */
  readonly untrusted: readonly string[]
  /** Files mentioned in the prompt that could not be read, with the reasons. */
  readonly notes: readonly string[]
}

/** The context for composing a prompt. */
interface ComposeOptions {
  readonly run: string
  readonly chosen: Pick<ChosenModel, 'protocol' | 'model'>
  readonly signal: AbortSignal
}

/** Adds the mentioned files and the attachments to a prompt. */
export async function composePrompt(
  text: string,
  attachments: readonly Attachment[],
  setup: RunSetup,
  options: ComposeOptions,
): Promise<ComposedPrompt> {
  const mentioned = await withMentions(text, setup, options)
  const { protocol } = options.chosen
  const blocks = attachments.flatMap((each) =>
    each.type === 'text'
      ? [
          printFileBlock(each.name, each.text, {
            protocols: typeof protocol === 'object' ? protocol : undefined,
          }),
        ]
      : [],
  )
  const images = attachments.filter((each) => each.type === 'image')
  const words = [mentioned.content, ...blocks].join('\n\n')
  return {
    prompt: images.length === 0 ? words : [{ type: 'text', text: words }, ...images],
    untrusted: [
      ...mentioned.untrusted,
      ...attachments.flatMap((each) => (each.type === 'text' ? [each.text] : [])),
    ],
    notes: mentioned.missing.map(({ path, reason }) => `@${path}: ${reason}`),
  }
}
