// Folder: The journal: records, their keys, and summaries and statistics of runs.
import type { Content } from '../model/chat-message.ts'
import type { PendingRequest } from './pending.ts'
import type { RunSummary } from './run-summary.ts'

/**
 * Records runs, so that a killed run can resume. A record is appended before its effect becomes visible, and is never
 * changed. Failures are JournalErrors.
 */
export interface Journal {
  /** Opens a run for recording, and creates it if it is new. Fails if another process has it open. */
  open(run: string, options?: OpenRunOptions): Promise<RunLog>
  /** The records of a run, in order; none if it does not exist. Open runs can be read too. `after` skips that many. */
  read(run: string, after?: number): Promise<readonly JournalRecord[]>
  /** Resolves when the run has more than `count` records. Rejects with the signal's reason if that aborts first. */
  changed(run: string, count: number, signal: AbortSignal): Promise<void>
  /** Lists what runs wait for, the longest wait first: approvals and questions that a person has not answered. */
  waiting(options?: WaitingOptions): Promise<readonly PendingRequest[]>
  /**
   * Answers something that a run waits for: an `ApprovalAnswer` or the `Answers` to its questions. The first answer
   * counts. Fails as `not_pending` if nothing waits under this key, or no longer.
   */
  answer(run: string, key: string, value: unknown): Promise<void>
  /** Sends a message to a run, which reads it before its next turn. Fails as `missing` or `ended` if nobody would read it. */
  send(run: string, message: Content): Promise<void>
  /**
   * Cancels a run for good, whichever process executes it: only `resume` continues it. False if it has already ended.
   * Fails as `missing` if it does not exist.
   */
  stop(run: string): Promise<boolean>
  /** Lists the runs, most recently active first. */
  runs(options?: RunsOptions): Promise<readonly RunSummary[]>
  /** Gives a run a name for people. False if the run does not exist. */
  rename(run: string, name: string): Promise<boolean>
  /** Deletes a run. False if it does not exist. Fails while it is open. */
  remove(run: string): Promise<boolean>
  /**
   * Deletes the oldest runs, except those that have a name, are open or wait for an answer. Returns how many were deleted.
   */
  prune(limits: PruneLimits): Promise<number>
  /** Adds a whole run. Fails if a run with that id exists. */
  add(run: RecordedRun): Promise<void>
  close(): Promise<void>
}

/** How a run is opened. */
export interface OpenRunOptions {
  /** Allows opening an imported run: its approvals count as if they had been given here. */
  readonly imported?: boolean | undefined
  /**
   * Opens the run although another process has it open, which then records nothing more: for engines that know that the
   * other process is gone. SQLite knows who is alive itself, and ignores it. Default: false.
   */
  readonly takeover?: boolean | undefined
}

/** How a run is released. */
export interface CloseRunOptions {
  /**
   * When somebody should continue it at the latest, in milliseconds since 1970, if no answer or message comes first; Infinity
   * for never. Default: at once.
   */
  readonly continueAt?: number | undefined
  /** Nothing was tried: this process could not execute it. */
  readonly untouched?: boolean | undefined
}

/** Which runs are listed. */
export interface RunsOptions {
  /** Only runs with this text in their name, first prompt, model or id. */
  readonly search?: string | undefined
  /** The maximum number of runs (default 100). */
  readonly limit?: number | undefined
  /** Only runs of this owner. */
  readonly owner?: string | undefined
  /** Only runs whose latest setup was in exactly this folder. */
  readonly folder?: string | undefined
  /** Only the run with this id. */
  readonly run?: string | undefined
  /** Only runs with this text anywhere in their records, ignoring the case of A to Z. It reads all records of the runs that are left. */
  readonly containing?: string | undefined
}

/** Which requests are listed. */
export interface WaitingOptions {
  /** Only those of this run. */
  readonly run?: string | undefined
}

/** Which runs `prune` keeps. */
export interface PruneLimits {
  /** How many runs to keep. */
  readonly runs?: number | undefined
  /** How many days after its last record to keep a run. */
  readonly days?: number | undefined
}

/** A whole run with its records, for export and import. */
export interface RecordedRun {
  readonly run: string
  readonly name?: string
  readonly records: readonly JournalRecord[]
  /** Whether it was recorded elsewhere, so that its approvals were not given here (default true). */
  readonly imported?: boolean
}

/** An open run that this process records. */
export interface RunLog {
  readonly run: string
  /** The records from before it was opened, in order. */
  readonly before: readonly JournalRecord[]
  /**
   * Resolves with the record when it is durable. Fails if it could not be written, if another process has taken over the
   * run, and as `taken` if there already is a record of this kind with this key.
   */
  append(record: Omit<JournalRecord, 'time'>, options?: AppendOptions): Promise<JournalRecord>
  /** Appends several records at once: all of them, or none. Resolves and fails like `append`. */
  appendAll(records: readonly Omit<JournalRecord, 'time'>[]): Promise<readonly JournalRecord[]>
  /** Waits for the answer with this key from outside the run. */
  waitForAnswer(key: string, signal: AbortSignal): Promise<unknown>
  /** The answer with this key, if it has been given since the run was opened. */
  findAnswer(key: string): Promise<JournalRecord | undefined>
  /** Waits for the message with this number, counted from 0, from outside the run. */
  waitForMessage(number: number, signal: AbortSignal): Promise<RunMessage>
  /** Releases the run for other processes. */
  close(options?: CloseRunOptions): Promise<void>
}

/** Options of `RunLog.append`. */
export interface AppendOptions {
  /** How many messages have been read. Fails as `unread` if more have been sent. */
  readonly messagesRead?: number | undefined
}

/** A message to a run from outside: text from a person, or the order to stop. */
export type RunMessage =
  | { readonly type: 'message'; readonly content: Content }
  | { readonly type: 'stop' }

/** A record of a run, as plain data. There is at most one record of each kind per key. */
export interface JournalRecord {
  readonly key: string
  readonly kind: RecordKind
  /** Any JSON value. */
  readonly value: unknown
  /** In milliseconds since 1970. */
  readonly time: number
}

/** A step began, returned a value, waits for an answer, or was answered; or a message was sent to the run. */
export type RecordKind = (typeof RECORD_KINDS)[number]

/** All kinds of records. `answer` and `message` come from outside the run. */
export const RECORD_KINDS = ['begin', 'value', 'wait', 'answer', 'message'] as const

/** Why something could not be recorded or read. `changed`: the setup of the run has changed. */
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

/** Something could not be recorded, so it was not done. The message is for people. */
export class JournalError extends Error {
  readonly problem: JournalProblem

  constructor(problem: JournalProblem, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'JournalError'
    this.problem = problem
  }
}
