import type { ParserOptions, Protocol, ProtocolId } from '@toolglot/core'
import type { Message } from '../context/message.ts'
import type { Journal } from '../journal/journal.ts'
import type { Model } from '../model/model.ts'
import type {
  ApprovalRequest,
  FileSystemView,
  PermissionMode,
  Permissions,
  ProtectionSettings,
} from '@toolglot/permissions'
import type { Registry } from '../registry/registry.ts'
import type { Ask } from '../tool/question.ts'
import type { AnyTool } from '../tool/any-tool.ts'
import type { Limits } from '../limits.ts'

/** What a run needs: a model, and usually tools, a prompt, permissions and a journal. */
export interface RunOptions {
  readonly model: Model
  /** The tools that the model can call. Default: none. */
  readonly tools?: Registry | Iterable<AnyTool> | ReadonlyMap<string, AnyTool>
  /** What the user asks. */
  readonly prompt?: string
  /** Earlier messages; or all messages, if there is no `prompt`. */
  readonly messages?: readonly Message[]
  /** The system prompt. `{{tools}}` in it is replaced by the description of the tools. */
  readonly system?: string
  /** The protocol for calls; `native` for native function calling. Default: chosen by the model's chat template or name. */
  readonly protocol?: Protocol | ProtocolId | 'native'
  /** What may run: parsed rules, or rules as text such as `Bash(git status)`. */
  readonly permissions?: Permissions | RunPermissions
  /** The file system, as permissions see it. Default: one without files. */
  readonly fileSystem?: FileSystemView
  readonly limits?: Partial<Limits>
  /** Where the run is recorded. Default: in memory. */
  readonly journal?: Journal
  /** The id of the run. Default: a new one. A run that the journal has is resumed, and nothing in it is done twice. */
  readonly id?: string
  /**
   * Adds `prompt` to a run that the journal has, after its earlier messages. Without a prompt, the run continues where it
   * stopped; if a limit stopped it, the limit starts over.
   */
  readonly resume?: boolean
  /** Cancels the run. */
  readonly signal?: AbortSignal
  /**
   * Releases the run: what is in progress, a reply or a tool, is finished and recorded, and nothing else begins. No end is
   * recorded, so that another process can continue the run.
   */
  readonly release?: AbortSignal
  /**
   * What to do while a person is asked: wait, or suspend the run and end as `interrupted`. A suspended run needs no process;
   * once the question is answered through the journal, `run` with its id continues it. Default: wait.
   */
  readonly onWait?: 'wait' | 'suspend'
  /** Starts the run as a copy of another one, up to a turn. If the journal has a run with this `id`, it is resumed instead. */
  readonly fork?: ForkOptions
  /** Whose run it is, for display and for `Journal.runs`. */
  readonly owner?: string
  /** Asks a person whether a call may run. Without it, calls that need approval are denied, unless `attended` is set. */
  readonly approve?: Approve
  /** Stores rules that a person allowed for longer than this run. Without it, such an answer holds for this run. */
  readonly remember?: (rules: readonly string[], scope: 'user' | 'folder') => Promise<void>
  /** Somebody answers questions through the journal, even if there is no `approve` or `ask`. */
  readonly attended?: boolean
  /** Asks a person the questions that tools have. */
  readonly ask?: Ask
  /** Whether to resume a run although its setup, such as the model, has changed. Default: no. */
  readonly confirm?: (changes: readonly string[]) => Promise<boolean>
  /** What happens with a malformed call: it is reported to the model (the default), is text, or ends the run. */
  readonly onMalformed?: 'feedback' | 'text' | 'fail'
  /** Texts in the messages that come from an untrusted source: a call that they dictate needs approval. */
  readonly untrusted?: readonly string[]
  /** Stops reading a reply after its first call. */
  readonly stopAtFirstCall?: boolean
  /** The role of the messages that carry results. Default: user. */
  readonly resultRole?: 'user' | 'tool' | 'system'
  /** Whether a run that reaches a limit asks the model for an answer in one last turn without tools. Default: true. */
  readonly finalizeOnLimit?: boolean
  readonly temperature?: number
  readonly stop?: readonly string[]
  readonly parser?: Pick<ParserOptions, 'prefix' | 'startsInReasoning' | 'repairs'>
}

/** Which run to copy, and how much of it. */
export interface ForkOptions {
  readonly run: string
  /**
   * The first turn that is not copied. A prompt replaces the message that came before this turn, if there was one;
   * otherwise it is added. Default: all turns are copied.
   */
  readonly turn?: number
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
  readonly reason?: string
  /**
   * Applies the suggested rules from now on: for the rest of the run, also after it is resumed (`true` or `run`), or by the
   * settings of the user or of the folder.
   */
  readonly always?: boolean | 'run' | 'user' | 'folder'
  /** Ends the run. */
  readonly stop?: boolean
}

/** Permissions as rules in text form. */
export interface RunPermissions extends ProtectionSettings {
  readonly allow?: readonly string[]
  readonly ask?: readonly string[]
  readonly deny?: readonly string[]
  readonly mode?: PermissionMode
}
