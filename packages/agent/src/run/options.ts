import type { Message } from '../context/message.ts'
import type { Journal, RunLog } from '../journal/journal.ts'
import type { Content } from '../model/content.ts'
import type { Model } from '../model/model.ts'
import type { CallOptions, RunPermissions } from './calls/call-options.ts'
import type { RequestOptions } from './turn/request-options.ts'

/** What a run needs: a model, and usually tools, a prompt, permissions and a journal. */
export interface RunOptions extends RequestOptions, CallOptions {
  readonly model: Model
  /** What the user asks. */
  readonly prompt?: Content | undefined
  /** Earlier messages; or all messages, if there is no `prompt`. */
  readonly messages?: readonly Message[] | undefined
  /** The system prompt. `{{tools}}` in it is replaced by the description of the tools. */
  readonly system?: string | undefined
  /** Where the run is recorded. Default: in memory. */
  readonly journal?: Journal | undefined
  /**
   * The id of the run. Default: a new one. A run that the journal has is resumed, and nothing in it is done twice. Without
   * `resume`, a prompt other than the one that the run began with throws a JournalError.
   */
  readonly id?: string | undefined
  /**
   * Adds `prompt` to a run that the journal has, after its earlier messages. Without a prompt, the run continues where it
   * stopped; if a limit stopped it, the limit starts over.
   */
  readonly resume?: boolean | undefined
  /**
   * Releases the run: what is in progress, a reply or a tool, is finished and recorded, and nothing else begins. No end is
   * recorded, so that another process can continue the run.
   */
  readonly release?: AbortSignal | undefined
  /**
   * What to do while a person is asked: wait, or suspend the run and end as `interrupted`. A suspended run needs no process;
   * once the question is answered through the journal, `run` with its id continues it. Default: wait.
   */
  readonly onWait?: 'wait' | 'suspend' | undefined
  /** Starts the run as a copy of another one, up to a turn. If the journal has a run with this `id`, it is resumed instead. */
  readonly fork?: ForkOptions | undefined
  /**
   * Rules and a mode for this run only, besides `permissions`. They are recorded: whoever resumes the run or forks it is held to
   * them, too, and to those that are given then.
   */
  readonly given?: Pick<RunPermissions, 'allow' | 'ask' | 'deny' | 'mode'> | undefined
  /** The run, opened with `Journal.open` to keep others from changing it in the meantime. It is closed when the run ends. */
  readonly log?: RunLog | undefined
  /** Takes the run over although another process has it open: see `OpenRunOptions.takeover`. Default: false. */
  readonly takeover?: boolean | undefined
  /** Whose run it is, for display and for `Journal.runs`. */
  readonly owner?: string | undefined
  /** Somebody answers questions through the journal, even if there is no `approve` or `ask`. */
  readonly attended?: boolean | undefined
  /**
   * The version of your program and its tools. It is recorded: a run that was begun with another one has a changed setup.
   * Default: versions are not compared, unless the run has one.
   */
  readonly version?: string | undefined
  /** Whether to resume a run although its setup, such as the model, has changed. Default: as `whenChanged` says. */
  readonly confirm?: ((changes: readonly string[]) => Promise<boolean>) | undefined
  /**
   * What happens with a run whose setup has changed, without `confirm`: it is left to a process that has what it was begun with,
   * somebody is asked through the journal, or it continues. Default: it is left.
   */
  readonly whenChanged?: 'leave' | 'ask' | 'continue' | undefined
  /** What happens with a malformed call: it is reported to the model (the default), is text, or ends the run. */
  readonly onMalformed?: 'feedback' | 'text' | 'fail' | undefined
  /** Whether a run that reaches a limit asks the model for an answer in one last turn without tools. Default: true. */
  readonly finalizeOnLimit?: boolean | undefined
}

/** Which run to copy, and how much of it. */
export interface ForkOptions {
  readonly run: string
  /**
   * The first turn that is not copied. A prompt replaces the message that came before this turn, if there was one;
   * otherwise it is added. Default: all turns are copied.
   */
  readonly turn?: number | undefined
}
