import type { TokenCounter } from '../../model/token-counter.ts'
import type { Message } from '../../context/message.ts'
import type { Model } from '../../model/model.ts'
import type { Usage } from '../../model/usage.ts'
import type { FileSystemView, Permissions } from '@toolglot/permissions'
import type { Todo } from '../../tool/tool.ts'
import type { RunEventBody } from '../event.ts'
import type { Limits } from '../../limits.ts'
import type { RunOptions } from '../options.ts'
import type { ToolOutcome } from '../calls/tool-outcome.ts'
import type { Repeats } from '../calls/repeats.ts'
import type { RunTools } from '../calls/run-tools.ts'
import type { CallFormat } from '../turn/call-format.ts'
import type { Steps } from '../resume/steps.ts'

/** The state of a run in progress. Everything that changes can be restored from the journal. */
export interface LoopState {
  readonly id: string
  readonly options: RunOptions
  readonly model: Model
  readonly limits: Limits
  readonly tools: RunTools
  readonly counter: TokenCounter
  readonly format: CallFormat
  readonly fileSystem: FileSystemView
  /** Whether read-only calls run in parallel. */
  readonly parallel: boolean
  readonly steps: Steps
  readonly signal: AbortSignal
  readonly emit: (event: RunEventBody) => void
  repeats: Repeats
  /** Extended by what a person allows for the rest of the run. */
  permissions: Permissions
  messages: readonly Message[]
  /** Settles once no question to a person is pending. */
  pendingQuestion: Promise<void>
  /** By call id. */
  readonly outcomes: Map<string, ToolOutcome>
  /**
   * What the model has read from untrusted sources: files, results, and its own summaries of them. It includes text that
   * was since removed from the messages.
   */
  readonly untrustedTexts: string[]
  /** The latest to-do list. */
  todos: readonly Todo[]
  /** Counted since the last prompt. */
  toolCalls: number
  usage: Usage
  /** The model's last visible text. */
  text: string
  /** Calls of turns before this one that have not run yet are not run. */
  abandonedTurns: number
}
