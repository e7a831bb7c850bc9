import type { FileSystemView, Permissions } from '@toolglot/permissions'
import type { Message } from '../../context/message.ts'
import type { Limits } from '../../limits.ts'
import type { Model } from '../../model/model.ts'
import type { TokenCounter } from '../../model/token-counter.ts'
import type { Usage } from '../../model/usage.ts'
import type { Todo } from '../../tool/tool.ts'
import type { Repeats } from '../calls/repeats.ts'
import type { RunTools } from '../calls/run-tools.ts'
import type { ToolOutcome } from '../calls/tool-outcome.ts'
import type { RunEventBody } from '../event.ts'
import type { RunOptions } from '../options.ts'
import type { Steps } from '../resume/steps.ts'
import type { CallFormat } from '../turn/call-format.ts'
import type { SentPrompt } from '../turn/sent-prompt.ts'
import type { Inbox } from './inbox.ts'

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
  readonly inbox: Inbox
  /** Aborts when the run has to end. */
  readonly signal: AbortSignal
  /** Aborts when nothing new may begin, because the run is released. */
  readonly release: AbortSignal
  /** Emits an event that is not recorded. */
  readonly emit: (event: RunEventBody) => void
  repeats: Repeats
  /** Extended by what a person allows for the rest of the run. */
  permissions: Permissions
  messages: readonly Message[]
  /** Settles once the person in this process is not being asked. */
  askedLast: Promise<unknown>
  /** What a person was asked in this process, by key: the answer, once there is one. */
  readonly asked: Map<string, Promise<unknown>>
  /** The keys of the requests for which the run is suspended. */
  readonly suspendedFor: Set<string>
  /** By call id. */
  readonly outcomes: Map<string, ToolOutcome>
  /** The keys of the calls of the current turn. */
  calls: readonly string[]
  /** The outcomes of calls that ended after they were given up, and that the model has not read. */
  late: { readonly call: string; readonly name: string; readonly outcome: ToolOutcome }[]
  /**
   * What the model has read from untrusted sources: files, results, and its own summaries of them. It includes text that
   * was since removed from the messages.
   */
  readonly untrustedTexts: string[]
  /** What the model was sent last. */
  prompt: SentPrompt
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
