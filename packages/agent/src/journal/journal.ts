// Folder: The journal: records, their keys, and summaries and statistics of runs.
import type { Content } from '../model/chat-message.ts'
import type { PendingRequest } from './pending.ts'
import type { RunSummary } from './run-summary.ts'

/**
 * Records runs so that a killed run can resume. A record is appended before its effect becomes
 * visible, and never changes. All failures are JournalErrors.
 */
export interface Journal {
  /** Opens a run for recording. A new run is created. Fails if another process has the run open. */
  open(run: string, options?: OpenRunOptions): Promise<RunLog>
  /**
   * Returns the records of a run in order, or none if it does not exist. Open runs can be read.
   * `after` is the number of records to skip.
   */
  read(run: string, after?: number): Promise<readonly JournalRecord[]>
  /**
   * Resolves when the run has more than `count` records. Rejects with the signal's reason if the
   * signal is aborted first.
   */
  changed(run: string, count: number, signal: AbortSignal): Promise<void>
  /** Lists the unanswered approvals and questions of all runs, oldest first. */
  waiting(options?: WaitingOptions): Promise<readonly PendingRequest[]>
  /**
   * Answers a request of a run: `value` is an `ApprovalAnswer`, or the `Answers` to its questions.
   * Only the first answer counts. Fails as `not_pending` if no request with this key is pending.
   */
  answer(run: string, key: string, value: unknown): Promise<void>
  /**
   * Sends a message to a run, which reads it before its next turn. Fails as `missing` or `ended` if
   * the run does not exist or has ended.
   */
  send(run: string, message: Content): Promise<void>
  /**
   * Stops a run, whichever process executes it. Afterwards, only `resume` can continue it. Returns
   * false if it has already ended. Fails as `missing` if it does not exist.
   */
  stop(run: string): Promise<boolean>
  /** Lists the runs, the most recently active first. */
  runs(options?: RunsOptions): Promise<readonly RunSummary[]>
  /** Sets the display name of a run. Returns false if the run does not exist. */
  rename(run: string, name: string): Promise<boolean>
  /** Deletes a run. Returns false if it does not exist. Fails while the run is open. */
  remove(run: string): Promise<boolean>
  /**
   * Deletes the oldest runs, but keeps those that have a name, are open, or are waiting for an
   * answer. Returns the number of deleted runs.
   */
  prune(limits: PruneLimits): Promise<number>
  /** Adds a complete run. Fails if a run with this id exists. */
  add(run: RecordedRun): Promise<void>
  close(): Promise<void>
}

/** Options for `Journal.open`. */
export interface OpenRunOptions {
  /** Allows opening an imported run. Its approvals then count as if they had been given here. */
  readonly imported?: boolean | undefined
  /**
   * Opens the run even if another process has it open; that process can no longer record anything.
   * For engines that are certain that the other process has ended. SQLite detects live processes
   * itself and ignores this. Default: false.
   */
  readonly takeover?: boolean | undefined
}

/** Options for `RunLog.close`. */
export interface CloseRunOptions {
  /**
   * The latest time to continue the run, in milliseconds since 1970, if no answer or message
   * arrives first. Infinity means never. Default: immediately.
   */
  readonly continueAt?: number | undefined
  /** This process could not execute the run and did nothing. */
  readonly untouched?: boolean | undefined
}

/** Filters and limits for `Journal.runs`. */
export interface RunsOptions {
  /** Include only runs with this text in their name, first prompt, model or id. */
  readonly search?: string | undefined
  /** The maximum number of runs (default 100). */
  readonly limit?: number | undefined
  /** Include only runs of this owner. */
  readonly owner?: string | undefined
  /** Include only runs whose latest setup was in exactly this folder. */
  readonly folder?: string | undefined
  /** Include only the run with this id. */
  readonly run?: string | undefined
  /**
   * Include only runs with this text anywhere in their records, ignoring the case of A to Z. Reads
   * all records of the runs that match the other filters.
   */
  readonly containing?: string | undefined
}

/** Filters for `Journal.waiting`. */
export interface WaitingOptions {
  /** Include only requests of this run. */
  readonly run?: string | undefined
}

/** Limits for `Journal.prune`. */
export interface PruneLimits {
  /** The number of runs to keep. */
  readonly runs?: number | undefined
  /** The number of days to keep a run after its last record. */
  readonly days?: number | undefined
}

/** A complete run with its records, for export and import. */
export interface RecordedRun {
  readonly run: string
  readonly name?: string
  readonly records: readonly JournalRecord[]
  /**
   * True if the run was recorded elsewhere, so its approvals were not given here. Default: true.
   */
  readonly imported?: boolean
}

/** A run opened for recording by this process. */
export interface RunLog {
  readonly run: string
  /** The records that existed when it was opened, in order. */
  readonly before: readonly JournalRecord[]
  /**
   * Resolves with the record once it is durable. Fails if it could not be written or if another
   * process has taken over the run, and as `taken` if a record of this kind already exists under
   * this key.
   */
  append(record: Omit<JournalRecord, 'time'>, options?: AppendOptions): Promise<JournalRecord>
  /** Appends several records, all or none. Resolves and fails like `append`. */
  appendAll(records: readonly Omit<JournalRecord, 'time'>[]): Promise<readonly JournalRecord[]>
  /** Waits for the answer with this key to arrive from outside the run. */
  waitForAnswer(key: string, signal: AbortSignal): Promise<unknown>
  /** The answer with this key, if it has arrived since the run was opened. */
  findAnswer(key: string): Promise<JournalRecord | undefined>
  /** Waits for the message with this number, counting from 0, to arrive from outside the run. */
  waitForMessage(number: number, signal: AbortSignal): Promise<RunMessage>
  /** Releases the run so that other processes can open it. */
  close(options?: CloseRunOptions): Promise<void>
}

/** Options for `RunLog.append`. */
export interface AppendOptions {
  /** The number of messages read so far. Fails as `unread` if more have been sent. */
  readonly messagesRead?: number | undefined
}

/** A message to a run from outside: text from a person, or an order to stop. */
export type RunMessage =
  | { readonly type: 'message'; readonly content: Content }
  | { readonly type: 'stop' }

/** A record of a run. Plain data. Each kind and key occurs at most once. */
export interface JournalRecord {
  readonly key: string
  readonly kind: RecordKind
  /** Any JSON value. */
  readonly value: unknown
  /** Milliseconds since 1970. */
  readonly time: number
}

/**
 * The kind of a record: a step began, returned a value, is waiting for an answer, or was answered;
 * or a message was sent to the run.
 */
export type RecordKind = (typeof RECORD_KINDS)[number]

/** All kinds of records. `answer` and `message` come from outside the run. */
export const RECORD_KINDS = ['begin', 'value', 'wait', 'answer', 'message'] as const

/**
 * The reason why a record could not be written or read. `changed`: the setup of the run has
 * changed.
 */
export type JournalProblem =
  | 'busy'
  | 'taken'
  | 'missing'
  | 'ended'
  | 'not_pending'
  | 'unread'
  | 'full'
  | 'read_only'
  | 'corrupt'
  | 'imported'
  | 'changed'
  | 'failed'

/** A step could not be recorded, so it was not executed. The message is for people. */
export class JournalError extends Error {
  readonly problem: JournalProblem

  constructor(problem: JournalProblem, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'JournalError'
    this.problem = problem
  }
}
