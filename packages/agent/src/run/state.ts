import type { FileSystemView, Permissions } from '@toolglot/permissions'
import type { Message } from '../context/message.ts'
import type { CallKey } from '../journal/keys.ts'
import type { Limits } from '../limits.ts'
import type { Model } from '../model/model.ts'
import type { TokenCounter } from '../model/token-counter.ts'
import type { Usage } from '../model/usage.ts'
import type { Todo } from '../tool/tool.ts'
import type { RunRules } from './approval/run-rules.ts'
import type { RunEventBody } from './event.ts'
import type { Inbox } from './loop/inbox.ts'
import type { RunOptions } from './options.ts'
import type { Arrival, RecordedCompaction } from './resume/history.ts'
import type { Steps } from './resume/steps.ts'
import type { Telemetry } from './telemetry/telemetry.ts'
import type { CallFormat } from './turn/call-format.ts'
import type { SentPrompt } from './turn/sent-prompt.ts'
import type { Repeats } from './calls/repeats.ts'
import type { RunTools } from './calls/run-tools.ts'
import type { ToolOutcome } from './calls/tool-outcome.ts'

/** What calls need while they run, in a run or alone. Everything that changes can be restored from the journal. */
export interface CallState {
  /** The id of the run. */
  readonly id: string
  /** Whether the run and the key of a call identify the call for good. */
  readonly hasUniqueKeys: boolean
  /** Who is asked, and what happens with repeated calls. */
  readonly options: Pick<
    RunOptions,
    'approve' | 'ask' | 'attended' | 'onWait' | 'remember' | 'duplicates' | 'cacheResults'
  >
  readonly limits: Limits
  readonly tools: RunTools
  readonly format: CallFormat
  readonly fileSystem: FileSystemView
  /** Whether read-only calls run in parallel. */
  readonly parallel: boolean
  readonly steps: Steps
  /** Aborts when everything has to end. */
  readonly signal: AbortSignal
  /** Aborts when nothing new may begin, because the run is released. */
  readonly release: AbortSignal
  readonly telemetry: Telemetry
  /** Emits a transient event. */
  readonly emit: (event: RunEventBody) => void
  repeats: Repeats
  /** Extended by what a person allows for the rest of the run. */
  permissions: Permissions
  /** The hosts that a person lets calls reach for the rest of the run. */
  hosts: readonly string[]
  /** Settles once the person in this process is not being asked. */
  askedLast: Promise<unknown>
  /** What a person was asked in this process, by key: the answer, once there is one. */
  readonly asked: Map<string, Promise<unknown>>
  /** The keys of the requests for which the run is suspended, and when each expires; Infinity for never. */
  readonly suspendedFor: Map<string, number>
  /** By call id. */
  readonly outcomes: Map<string, ToolOutcome>
  /** The keys of the calls of the current turn. */
  calls: readonly CallKey[]
  /** The outcomes of calls that ended after they were given up, and that the model has not read. */
  late: { readonly call: string; readonly name: string; readonly outcome: ToolOutcome }[]
  /**
   * What the model has read from untrusted sources: files, results, and its own summaries of them. It includes text that
   * was since removed from the messages.
   */
  readonly untrustedTexts: string[]
  /** The latest to-do list. */
  todos: readonly Todo[]
  /** Counted since the last prompt. */
  toolCalls: number
  /** Calls of turns before this one that have not run yet are not run. */
  abandonedTurns: number
}

/** The part of the state that calls fill in, before the first one. */
export function noCalls(): Pick<
  CallState,
  | 'hosts'
  | 'askedLast'
  | 'asked'
  | 'suspendedFor'
  | 'outcomes'
  | 'calls'
  | 'late'
  | 'untrustedTexts'
  | 'todos'
  | 'toolCalls'
  | 'abandonedTurns'
> {
  return {
    hosts: [],
    askedLast: Promise.resolve(),
    asked: new Map(),
    suspendedFor: new Map(),
    outcomes: new Map(),
    calls: [],
    late: [],
    untrustedTexts: [],
    todos: [],
    toolCalls: 0,
    abandonedTurns: 0,
  }
}

/** The state of a run in progress. Everything that changes can be restored from the journal. */
export interface LoopState extends CallState {
  readonly options: RunOptions
  readonly model: Model
  readonly counter: TokenCounter
  readonly inbox: Inbox
  /** They are part of the permissions. */
  readonly runRules: RunRules | undefined
  messages: readonly Message[]
  /** What the model was sent last, and what it replied. */
  prompt: SentPrompt
  /** The history was shortened since the last turn. */
  isCompacted: boolean
  /** What came from outside so far, in the order in which it was recorded. */
  readonly arrivals: Arrival[]
  /** The compactions of the history so far, by their keys. */
  readonly compactions: Map<string, RecordedCompaction>
  /** The last turn was one without tools, at a limit. */
  hadFinalTurn: boolean
  /** What the ids of calls begin with. */
  idPrefix: string
  usage: Usage
  /** The model's last visible text. */
  text: string
  /** The note that requested an answer at a limit, and the answer. */
  finalMessages: readonly Message[]
}

/** A file system without a workspace: every path is outside. */
export const noFileSystem: FileSystemView = {
  cwd: '/',
  home: '/',
  roots: [],
  platform: 'linux',
  caseSensitive: true,
  follow: () => undefined,
}
