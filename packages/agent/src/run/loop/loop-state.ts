import type { TokenCounter } from '../../context/counter.ts'
import type { Message } from '../../context/message.ts'
import type { Model } from '../../model/model.ts'
import type { Usage } from '../../model/usage.ts'
import type { Permissions, FileSystemView } from '@toolglot/permissions'
import type { Todo } from '../../tool/tool.ts'
import type { RunEventBody } from '../event.ts'
import type { Limits } from '../../limits.ts'
import type { RunOptions } from '../options.ts'
import type { ToolOutcome } from '../calls/tool-outcome.ts'
import type { Repeats } from '../calls/repeats.ts'
import type { RunTools } from '../calls/run-tools.ts'
import type { CallFormat } from '../turn/call-format.ts'
import type { Steps } from '../resume/steps.ts'

/** A run while it goes on. What changes can be told from what is recorded. */
export interface LoopState {
  readonly id: string
  readonly options: RunOptions
  readonly model: Model
  readonly limits: Limits
  readonly tools: RunTools
  readonly counter: TokenCounter
  readonly format: CallFormat
  readonly fileSystem: FileSystemView
  /** Whether calls that only read run at once. */
  readonly parallel: boolean
  readonly steps: Steps
  readonly signal: AbortSignal
  readonly emit: (event: RunEventBody) => void
  repeats: Repeats
  /** Grows by what a person allows for the rest of the run. */
  permissions: Permissions
  messages: readonly Message[]
  /** Settled when nobody is being asked. */
  pendingQuestion: Promise<void>
  /** By the id of the call. */
  readonly outcomes: Map<string, ToolOutcome>
  /**
   * What the model was told that a stranger may have written: files, results, and its own summaries of them. It grows,
   * and what was left out of the messages since still counts.
   */
  readonly untrustedTexts: string[]
  /** The last list that was written. */
  todos: readonly Todo[]
  /** Since the last prompt. */
  toolCalls: number
  usage: Usage
  /** What the model said last. */
  text: string
  /** Calls of turns before this one that were not run are not run any more. */
  abandonedTurns: number
}
