import type {
  AliasSettings,
  ApprovalRequest,
  FileSystemView,
  PermissionMode,
  Permissions,
  ProtectionSettings,
} from '@toolglot/permissions'
import type { Limits } from '../../limits.ts'
import type { ToolSelection } from '../../registry/registry-of.ts'
import type { NetworkAnswer } from '../../tool/network-answer.ts'
import type { Ask } from '../../tool/question.ts'
import type { TelemetryOptions } from '../telemetry/telemetry.ts'

/** How calls are run: with which tools, under which permissions, and who is asked. */
export interface CallOptions extends ToolSelection {
  /** What may run: parsed rules, or rules as text such as `Bash(git status)`. */
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
  /** What happens with a call that repeats an earlier one. */
  readonly duplicates?: DuplicateOptions | undefined
  /** Texts in the messages that come from an untrusted source: a call that they dictate needs approval. */
  readonly untrusted?: readonly string[] | undefined
  /** What the spans of OpenTelemetry say. */
  readonly telemetry?: TelemetryOptions | undefined
  /** Cancels what is running. */
  readonly signal?: AbortSignal | undefined
}

/** What happens with a call that repeats an earlier one, although nothing has changed since. */
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
  /** What a model is told about a call that fails for that reason, before the earlier result. */
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
  readonly reason?: string
  /**
   * Applies the suggested rules from now on: for the rest of the run, also after it is resumed (`true` or `run`), or by the
   * settings of the user or of the folder.
   */
  readonly always?: boolean | 'run' | 'user' | 'folder'
  /** What the call may reach over the network. It counts if the request said what limits that. */
  readonly network?: NetworkAnswer
  /** Ends the run. */
  readonly stop?: boolean
}

/** Permissions as rules in text form. */
export interface RunPermissions extends AliasSettings, ProtectionSettings {
  readonly allow?: readonly string[]
  readonly ask?: readonly string[]
  readonly deny?: readonly string[]
  readonly mode?: PermissionMode
}
