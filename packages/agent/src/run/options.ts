import type {
  AliasSettings,
  ApprovalRequest,
  FileSystemView,
  PermissionMode,
  Permissions,
  ProtectionSettings,
} from '@toolglot/permissions'
import type { Message } from '../context/message.ts'
import type { Journal, RunLog } from '../journal/journal.ts'
import type { Limits } from '../limits.ts'
import type { Content } from '../model/chat-message.ts'
import type { Model } from '../model/model.ts'
import type { ToolSelection } from '../registry/registry-of.ts'
import type { NetworkAnswer } from '../tool/network-answer.ts'
import type { Ask } from '../tool/question.ts'
import type { TelemetryOptions } from './telemetry/telemetry.ts'
import type { RequestOptions } from './turn/request-options.ts'

/** The options of a run: a model, and usually tools, a prompt, permissions and a journal. */
export interface RunOptions extends RequestOptions, CallOptions {
  readonly model: Model
  /** The message of the user. */
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
   * How to wait for a person: in this process, or by suspending the run, which ends as `interrupted`. A suspended run needs no
   * process; once the question is answered through the journal, `run` with its id continues it. Default: wait.
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
  /** The owner of the run, for display and for `Journal.runs`. */
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
   * The fate of a run whose setup has changed, without `confirm`: it is left to a process with the original setup, a person is
   * asked through the journal, or it continues. Default: it is left.
   */
  readonly whenChanged?: 'leave' | 'ask' | 'continue' | undefined
  /** The handling of malformed calls: they are reported to the model (the default), are text, or end the run. */
  readonly onMalformed?: 'feedback' | 'text' | 'fail' | undefined
  /** Whether a run that reaches a limit requests an answer in one last turn without tools. Default: true. */
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

/** How calls are run: with which tools, under which permissions, and who is asked. */
export interface CallOptions extends ToolSelection {
  /** The permissions: parsed rules, or rules as text such as `Bash(git status)`. */
  readonly permissions?: Permissions | RunPermissions | undefined
  /** The file system, as permissions see it. Default: one without files. */
  readonly fileSystem?: FileSystemView | undefined
  readonly limits?: Partial<Limits> | undefined
  /** Asks a person whether a call may run. Without it, calls that need approval are denied. */
  readonly approve?: Approve | undefined
  /**
   * Stores rules, or hosts that commands may reach, which a person allowed for longer than this run. Without it, such an
   * answer holds for this run.
   */
  readonly remember?:
    | ((
        allowed: { readonly rules: readonly string[] } | { readonly hosts: readonly string[] },
        scope: 'user' | 'folder',
      ) => Promise<void>)
    | undefined
  /** Asks a person the questions that tools have. */
  readonly ask?: Ask | undefined
  /** The handling of calls that repeat an earlier one. */
  readonly duplicates?: DuplicateOptions | undefined
  /** Texts in the messages that come from an untrusted source: a call that they dictate needs approval. */
  readonly untrusted?: readonly string[] | undefined
  /** The contents of OpenTelemetry spans. */
  readonly telemetry?: TelemetryOptions | undefined
  /** Cancels what is running. */
  readonly signal?: AbortSignal | undefined
}

/** The handling of calls that repeat an earlier one, although nothing has changed since. */
export interface DuplicateOptions {
  /** Whether to look for repeated calls. Default: true. */
  readonly detect?: boolean | undefined
  /** How many of the last calls are compared. Default: 16. */
  readonly window?: number | undefined
  /**
   * `warn`: the call fails, with the earlier result and a warning. `reuse`: a call of a read-only tool succeeds with the
   * earlier result. Default: `warn`, except for calls that `cacheResults` answers.
   */
  readonly on?: 'reuse' | 'warn' | undefined
  /** The text for the model when a call fails for that reason, before the earlier result. */
  readonly warning?: ((tool: string) => string) | undefined
}

/** Asks a person whether a call may run. Called for one request at a time. */
export type Approve = (
  request: ApprovalRequest & {
    readonly name: string
    readonly args: Readonly<Record<string, unknown>>
  },
  signal: AbortSignal,
) => Promise<ApprovalAnswer>

/** A person's answer to the question whether a call may run. */
export interface ApprovalAnswer {
  readonly verdict: 'allow' | 'deny'
  /** Shown to the model. */
  readonly reason?: string | undefined
  /**
   * Applies the suggested rules from now on: for the rest of the run, also after it is resumed (`true` or `run`), or by the
   * settings of the user or of the folder.
   */
  readonly always?: boolean | 'run' | 'user' | 'folder' | undefined
  /** The hosts that the call may reach. It counts if the request named the limits of the network. */
  readonly network?: NetworkAnswer | undefined
  /** Ends the run. */
  readonly stop?: boolean | undefined
}

/** Permissions as rules in text form. */
export interface RunPermissions extends AliasSettings, ProtectionSettings {
  readonly allow?: readonly string[] | undefined
  readonly ask?: readonly string[] | undefined
  readonly deny?: readonly string[] | undefined
  readonly mode?: PermissionMode | undefined
}
