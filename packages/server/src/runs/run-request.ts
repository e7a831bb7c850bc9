import type { Limits, RunOptions } from '@toolglot/agent'
import { type Content, printFileBlock } from '@toolglot/agent/context'
import { type ChosenModel, type RunSetup, withMentions } from '@toolglot/workspace'

/** The fields that every way to start a run shares. */
export interface RunRequest {
  readonly prompt?: string | undefined
  readonly attachments?: readonly Attachment[] | undefined
  /** The model to use. Default: that of the run before, or the one that the folder's settings name, or one that is found. */
  readonly model?: string | undefined
  /** The id of a protocol, `native` or `auto`. */
  readonly protocol?: string | undefined
  /** Replaces the default system prompt. */
  readonly system?: string | undefined
  readonly limits?: Partial<Limits> | undefined
  /** Rules and a mode for this run only, also when it is continued. */
  readonly permissions?: RunOptions['given'] | undefined
}

/** A run to resume. */
export interface ResumeRequest extends RunRequest {
  /** Continue although the model, the protocol or the tools have changed. */
  readonly acceptChanges?: boolean | undefined
}

/** A run to copy. */
export interface ForkRequest extends RunRequest {
  /** The first turn that is not copied. Default: all are copied. */
  readonly turn?: number | undefined
  /** Undo what was changed in the turns that are not copied. */
  readonly restoreFiles?: boolean | undefined
}

/** A run that was started, resumed or forked. */
export interface StartedRun {
  readonly run: string
  readonly folder: string
  readonly model: string
  /** Why this model was chosen. */
  readonly why: string
  /** Warnings: problems with settings, files that could not be attached or restored. */
  readonly warnings: readonly string[]
}

/** Something that comes with a prompt. */
export type Attachment =
  /** A file that the person has, but not in the folder. */
  | { readonly type: 'text'; readonly name: string; readonly text: string }
  /** An image as a `data:` URL. */
  | { readonly type: 'image'; readonly url: string }

/** A prompt with its attachments. */
export interface ComposedPrompt {
  readonly prompt: Content
  /** The texts of files: a stranger may have written them. */
  readonly untrusted: readonly string[]
  /** The files that it mentions and that could not be read, and why. */
  readonly notes: readonly string[]
}

/** The context that a prompt is composed for. */
interface ComposeOptions {
  readonly run: string
  readonly chosen: Pick<ChosenModel, 'protocol' | 'model'>
  readonly signal: AbortSignal
}

/** Adds the files that a prompt mentions, and what is attached to it. */
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
