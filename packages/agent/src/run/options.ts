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

/** The options of a run: a model, and usually also tools, a prompt, permissions and a journal. */
export interface RunOptions extends RequestOptions, CallOptions {
  readonly model: Model
  /** The user's message. */
  readonly prompt?: Content | undefined
  /** Earlier messages, or all messages if there is no `prompt`. */
  readonly messages?: readonly Message[] | undefined
  /** The system prompt. `{{tools}}` is replaced with the description of the tools. */
  readonly system?: string | undefined
  /** The journal to record the run in. Default: in memory. */
  readonly journal?: Journal | undefined
  /**
   * The id of the run. Default: a new id. A run that exists in the journal is resumed without
   * repeating any step. Without `resume`, a prompt that differs from the original one throws a
   * JournalError.
   */
  readonly id?: string | undefined
  /**
   * Add `prompt` to an existing run, after its earlier messages. Without a prompt, the run
   * continues where it stopped; if a limit stopped it, the limit is reset.
   */
  readonly resume?: boolean | undefined
  /**
   * Releases the run: the current reply or tool is finished and recorded, but nothing new starts.
   * No end is recorded, so that another process can continue the run.
   */
  readonly release?: AbortSignal | undefined
  /**
   * Wait for a person in this process, or suspend the run, which then ends as `interrupted`. A
   * suspended run needs no process: once the question has been answered through the journal, call
   * `run` with the same id to continue. Default: wait.
   */
  readonly onWait?: 'wait' | 'suspend' | undefined
  /**
   * Start the run as a copy of another run up to a certain turn. If the journal already contains a
   * run with this `id`, it is resumed instead.
   */
  readonly fork?: ForkOptions | undefined
  /**
   * Rules and a mode for this run only, in addition to `permissions`. They are recorded and also
   * apply when the run is resumed or forked, together with those given at that time.
   */
  readonly given?: Pick<RunPermissions, 'allow' | 'ask' | 'deny' | 'mode'> | undefined
  /**
   * The run, if it is already open. Opening it with `Journal.open` prevents other processes from
   * changing it before `run` starts. It is closed when the run ends.
   */
  readonly log?: RunLog | undefined
  /**
   * Take over the run even if another process has it open: see `OpenRunOptions.takeover`. Default:
   * false.
   */
  readonly takeover?: boolean | undefined
  /** The owner of the run. Shown to people and used by `Journal.runs`. */
  readonly owner?: string | undefined
  /**
   * True if people answer questions through the journal, so neither `approve` nor `ask` is
   * required.
   */
  readonly attended?: boolean | undefined
  /**
   * The version of your program and its tools. It is recorded: if a run started with a different
   * version, its setup has changed. Default: versions are compared only if the run has one.
   */
  readonly version?: string | undefined
  /**
   * Decides if a run resumes although its setup, such as the model, has changed. Default: use
   * `whenChanged`.
   */
  readonly confirm?: ((changes: readonly string[]) => Promise<boolean>) | undefined
  /**
   * The treatment of a run whose setup has changed, without `confirm`: leave it to a process with
   * the original setup, ask a person through the journal, or continue. Default: leave.
   */
  readonly whenChanged?: 'leave' | 'ask' | 'continue' | undefined
  /**
   * The treatment of malformed calls: report them to the model (`feedback`), treat them as text, or
   * end the run. Default: feedback.
   */
  readonly onMalformed?: 'feedback' | 'text' | 'fail' | undefined
  /** Request an answer in a last turn without tools when the run reaches a limit. Default: true. */
  readonly finalizeOnLimit?: boolean | undefined
}

/** The run to copy, and the part to copy. */
export interface ForkOptions {
  readonly run: string
  /**
   * The first turn that is not copied. A prompt replaces the message before this turn, or is added
   * if there is none. Default: copy all turns.
   */
  readonly turn?: number | undefined
}

/** The tools, permissions and approvers for running calls. */
export interface CallOptions extends ToolSelection {
  /** The permissions, parsed or as rules in text form, such as `Bash(git status)`. */
  readonly permissions?: Permissions | RunPermissions | undefined
  /** The file system used by permissions. Default: an empty one. */
  readonly fileSystem?: FileSystemView | undefined
  readonly limits?: Partial<Limits> | undefined
  /**
   * Requests approval for a call from a person. Without it, calls that need approval are denied.
   */
  readonly approve?: Approve | undefined
  /**
   * Stores rules, or hosts that commands can reach, that a person has allowed beyond this run.
   * Without this function, such an answer applies to this run only.
   */
  readonly remember?:
    | ((
        allowed: { readonly rules: readonly string[] } | { readonly hosts: readonly string[] },
        scope: 'user' | 'folder',
      ) => Promise<void>)
    | undefined
  /** Asks a person the questions of a tool. */
  readonly ask?: Ask | undefined
  /** The treatment of calls that repeat an earlier one. */
  readonly duplicates?: DuplicateOptions | undefined
  /**
   * Text in the messages that comes from untrusted sources. A call dictated by it needs approval.
   */
  readonly untrusted?: readonly string[] | undefined
  /** The contents of OpenTelemetry spans. */
  readonly telemetry?: TelemetryOptions | undefined
  /** Cancels the run or cycle. */
  readonly signal?: AbortSignal | undefined
}

/** The treatment of calls that repeat an earlier one although nothing has changed in between. */
export interface DuplicateOptions {
  /** Detect repeated calls. Default: true. */
  readonly detect?: boolean | undefined
  /** The number of recent calls to compare with. Default: 16. */
  readonly window?: number | undefined
  /**
   * `warn`: the call fails, and its result contains a warning and the earlier result. `reuse`: a
   * call of a read-only tool succeeds with the earlier result. Default: `warn`, except for calls
   * answered by `cacheResults`.
   */
  readonly on?: 'reuse' | 'warn' | undefined
  /** The text for the model before the earlier result, if the call fails. */
  readonly warning?: ((tool: string) => string) | undefined
}

/** Requests approval for a call from a person. Called for one request at a time. */
export type Approve = (
  request: ApprovalRequest & {
    readonly name: string
    readonly args: Readonly<Record<string, unknown>>
  },
  signal: AbortSignal,
) => Promise<ApprovalAnswer>

/** A person's answer to an approval request. */
export interface ApprovalAnswer {
  readonly verdict: 'allow' | 'deny'
  /** Shown to the model. */
  readonly reason?: string | undefined
  /**
   * Apply the suggested rules from now on: for the rest of the run, even after it is resumed
   * (`true` or `run`), or through the settings of the user or the folder.
   */
  readonly always?: boolean | 'run' | 'user' | 'folder' | undefined
  /** The hosts that the call can reach. Ignored unless the request contained the network limits. */
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
