import type { FileSystemView, Permissions } from '@toolglot/permissions'
import type { Message } from '../context/message.ts'
import type { CallKey } from '../journal/keys.ts'
import type { Limits } from '../limits.ts'
import type { Model } from '../model/model.ts'
import { createTokenCounter, type TokenCounter } from '../model/token-counter.ts'
import type { Usage } from '../model/usage.ts'
import type { Todo } from '../tool/tool.ts'
import type { RunRules } from './approval/run-rules.ts'
import type { RunEventBody } from './event.ts'
import type { Inbox } from './loop/arrivals.ts'
import type { RunOptions } from './options.ts'
import { type Arrival, type History, isInput, type RecordedCompaction } from './resume/history.ts'
import type { Steps } from './resume/steps.ts'
import type { Telemetry } from './telemetry/telemetry.ts'
import type { CallFormat } from './turn/call-format.ts'
import { noPrompt, type SentPrompt } from './turn/sent-prompt.ts'
import { Repeats } from './calls/repeats.ts'
import type { RunTools } from './calls/run-tools.ts'
import type { ToolOutcome } from './calls/tool-outcome.ts'

/**
 * The state for running calls, in a run or a cycle. All changing parts can be restored from the
 * journal.
 */
export interface CallState {
  /** The id of the run. */
  readonly id: string
  /** True if the run id and call id together are unique. */
  readonly hasUniqueKeys: boolean
  /** The options for asking people and for handling repeated calls. */
  readonly options: Pick<
    RunOptions,
    'approve' | 'ask' | 'attended' | 'onWait' | 'remember' | 'duplicates' | 'cacheResults'
  >
  readonly limits: Limits
  readonly tools: RunTools
  readonly format: CallFormat
  readonly fileSystem: FileSystemView
  /** Run read-only calls in parallel. */
  readonly parallel: boolean
  readonly steps: Steps
  /** Aborts the run. */
  readonly signal: AbortSignal
  /** Aborted when the run is released: nothing new may start. */
  readonly release: AbortSignal
  readonly telemetry: Telemetry
  /** Emits a transient event. */
  readonly emit: (event: RunEventBody) => void
  repeats: Repeats
  /** Extended by the rules that a person allows for the rest of the run. */
  permissions: Permissions
  /** The hosts that a person has allowed calls to reach for the rest of the run. */
  hosts: readonly string[]
  /** Settles when the person in this process is ready for another request. */
  askedLast: Promise<unknown>
  /** The answers to requests made in this process, by key. */
  readonly asked: Map<string, Promise<unknown>>
  /**
   * The keys of the requests for which the run is suspended, with the time at which each one
   * expires; Infinity for never.
   */
  readonly suspendedFor: Map<string, number>
  /** Outcomes by call id. */
  readonly outcomes: Map<string, ToolOutcome>
  /** The keys of the calls in the current turn. */
  calls: readonly CallKey[]
  /** Late outcomes that the model has not read yet. */
  late: { readonly call: string; readonly name: string; readonly outcome: ToolOutcome }[]
  /**
   * Text from untrusted sources that the model has read: files, results, and its own summaries of
   * them. Includes text that was since removed from the messages.
   */
  readonly untrustedTexts: string[]
  /** The latest list of tasks. */
  todos: readonly Todo[]
  /** The number of tool calls since the last prompt. */
  toolCalls: number
  /** Calls in turns before this one that have not run yet will not run. */
  abandonedTurns: number
}

/** The call-related part of the state before the first call. */
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

/** The state of a run in progress. All changing parts can be restored from the journal. */
export interface LoopState extends CallState {
  readonly options: RunOptions
  readonly model: Model
  readonly counter: TokenCounter
  readonly inbox: Inbox
  /** The rules of this run. They are included in the permissions. */
  readonly runRules: RunRules | undefined
  messages: readonly Message[]
  /** The last prompt and the reply to it. */
  prompt: SentPrompt
  /** True if the history has been shortened since the last turn. */
  isCompacted: boolean
  /** The messages and late outcomes so far, in the order of their records. */
  readonly arrivals: Arrival[]
  /** The compactions of the history so far, by key. */
  readonly compactions: Map<string, RecordedCompaction>
  /** True if the last turn was one without tools, at a limit. */
  hadFinalTurn: boolean
  /** The prefix of call ids. */
  idPrefix: string
  usage: Usage
  /** The model's last visible text. */
  text: string
  /** The note that requested an answer at a limit, and that answer. */
  finalMessages: readonly Message[]
}

/** The parts of a run's state determined by its options and its journal. */
type RunSetting = Pick<
  LoopState,
  | 'id'
  | 'options'
  | 'limits'
  | 'tools'
  | 'format'
  | 'fileSystem'
  | 'parallel'
  | 'steps'
  | 'inbox'
  | 'signal'
  | 'release'
  | 'telemetry'
  | 'emit'
  | 'permissions'
  | 'runRules'
>

/**
 * The state of a run before its loop. `calls` contains the keys of the last turn's calls without an
 * outcome.
 */
export function newState(
  setting: RunSetting,
  { arrivals, compactions, finalUsage }: History,
  calls: readonly CallKey[],
): LoopState {
  const { options } = setting
  const { model, duplicates } = options
  return {
    ...setting,
    hasUniqueKeys: true,
    model,
    counter: createTokenCounter(model),
    repeats: new Repeats(duplicates),
    ...noCalls(),
    calls,
    abandonedTurns: Math.max(0, ...arrivals.filter(isInput).map(({ turn }) => turn)),
    messages: [],
    prompt: noPrompt,
    isCompacted: false,
    arrivals: [...arrivals],
    compactions: new Map(compactions),
    hadFinalTurn: false,
    idPrefix: '',
    finalMessages: [],
    usage: finalUsage,
    text: '',
  }
}

/** A file system without a workspace: every path is outside of it. */
export const noFileSystem: FileSystemView = {
  cwd: '/',
  home: '/',
  roots: [],
  platform: 'linux',
  caseSensitive: true,
  follow: () => undefined,
}
