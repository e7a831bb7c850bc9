import type { ParserOptions, Protocol } from '@toolglot/core'
import type { Message } from '../context/message.ts'
import type { Journal } from '../journal/journal.ts'
import type { Model } from '../model/model.ts'
import type {
  ApprovalRequest,
  PermissionMode,
  Permissions,
  ProtectionSettings,
  FileSystemView,
} from '@toolglot/permissions'
import type { Registry } from '../registry/registry.ts'
import type { Ask } from '../tool/question.ts'
import type { AnyTool } from '../tool/any-tool.ts'
import type { Limits } from '../limits.ts'

export interface RunOptions {
  readonly model: Model
  /** None: the model only answers. */
  readonly tools?: Registry | Iterable<AnyTool> | ReadonlyMap<string, AnyTool>
  /** What the model is asked. */
  readonly prompt?: string
  /** What was said before, or all of it. */
  readonly messages?: readonly Message[]
  /** Told to the model before anything else. `{{tools}}` in it is where the tools are told of. */
  readonly system?: string
  /** The model's dialect, if its name does not tell it; `native` for function calling of its own. */
  readonly protocol?: Protocol | 'native'
  /** What may run: rules as they were read, or as texts such as `Bash(git status)`. */
  readonly permissions?: Permissions | RunPermissions
  /** The machine, as permissions see it; one without files, if not told. */
  readonly fileSystem?: FileSystemView
  readonly limits?: Partial<Limits>
  /** In memory, if not told. */
  readonly journal?: Journal
  /** The id of the run: a new one if not told. One that the journal has is gone on with, and nothing is done twice. */
  readonly id?: string
  /**
   * `prompt` is said in a run that the journal has, behind all that was said before. Without one it goes on where it was
   * stopped; where a limit did that, it counts anew.
   */
  readonly resume?: boolean
  readonly signal?: AbortSignal
  /** Asks a person whether a call may run. Without it, what would ask is denied unless the journal brings an answer. */
  readonly approve?: Approve
  /** Somebody answers through the journal, even where there is no `approve`. */
  readonly attended?: boolean
  /** Puts the model's own questions to a person. */
  readonly ask?: Ask
  /** Whether a run is gone on with although something about it has changed since, such as its model. No, if not told. */
  readonly confirm?: (changes: readonly string[]) => Promise<boolean>
  /** What becomes of a call that cannot be read: it is told to the model (if not told), is text, or ends the run. */
  readonly onMalformed?: 'feedback' | 'text' | 'fail'
  /** Texts in the messages that a stranger may have written: a call that they dictate asks. */
  readonly untrusted?: readonly string[]
  /** What a model writes behind its first call is not waited for. */
  readonly stopAtFirstCall?: boolean
  /** Who tells the model the results; the user, if not told. */
  readonly resultRole?: 'user' | 'tool' | 'system'
  /** One last turn without tools asks for an answer at a limit; true if not told. */
  readonly finalizeOnLimit?: boolean
  readonly temperature?: number
  readonly stop?: readonly string[]
  readonly parser?: Pick<ParserOptions, 'prefix' | 'startsInReasoning' | 'repairs'>
}

export type Approve = (
  request: ApprovalRequest & {
    readonly name: string
    readonly args: Readonly<Record<string, unknown>>
  },
  signal: AbortSignal,
) => Promise<ApprovalAnswer>

/** What a person says to a call. */
export interface ApprovalAnswer {
  readonly verdict: 'allow' | 'deny'
  /** Told to the model. */
  readonly reason?: string
  /** The rules that were suggested hold for the rest of the run. */
  readonly always?: boolean
  /** The run ends here. */
  readonly stop?: boolean
}

/** Rules as texts. */
export interface RunPermissions extends ProtectionSettings {
  readonly allow?: readonly string[]
  readonly ask?: readonly string[]
  readonly deny?: readonly string[]
  readonly mode?: PermissionMode
}
