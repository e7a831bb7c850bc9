import type { Limits, RunOptions } from '@toolglot/agent'
import type { Attachment } from './compose-prompt.ts'

/** What every way to start a run has in common. */
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
  /** Rules and a mode for this run only, whoever continues it. */
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
  /** What to know: problems with settings, files that could not be attached or restored. */
  readonly warnings: readonly string[]
}
