import type { RunSummary } from './run-summary.ts'

/**
 * Records runs, so that a killed run can resume. A record is appended before its effect becomes visible, and is never
 * changed. Failures are JournalErrors.
 */
export interface Journal {
  /** Opens a run for recording, and creates it if it is new. Fails if another process has it open. */
  open(run: string, options?: OpenRunOptions): Promise<RunLog>
  /** All records of a run, in order; none if it does not exist. Open runs can be read too. */
  read(run: string): Promise<readonly JournalRecord[]>
  /** Records an answer from outside the run, such as an approval. False if it is too late or the run does not exist. */
  answer(run: string, key: string, value: unknown): Promise<boolean>
  /** Lists the runs, most recently active first. */
  runs(options?: RunsOptions): Promise<readonly RunSummary[]>
  /** Gives a run a name for people. False if the run does not exist. */
  rename(run: string, name: string): Promise<boolean>
  /** Deletes a run. False if it does not exist. Fails while it is open. */
  remove(run: string): Promise<boolean>
  /** Deletes the oldest runs, except those that are open or waiting for an answer. Returns how many were deleted. */
  prune(limits: PruneLimits): Promise<number>
  /** Imports a run that was recorded elsewhere. Fails if a run with that id exists. */
  add(run: RecordedRun): Promise<void>
  close(): Promise<void>
}

/** How a run is opened. */
export interface OpenRunOptions {
  /** Allows opening an imported run: its approvals count as if they had been given here. */
  readonly imported?: boolean
}

/** Which runs are listed. */
export interface RunsOptions {
  /** Only runs with this text in their name, first prompt, model or id. */
  readonly search?: string
  /** The maximum number of runs (default 100). */
  readonly limit?: number
}

/** Which runs `prune` keeps. */
export interface PruneLimits {
  /** How many runs to keep. */
  readonly runs?: number
  /** How many days after its last record to keep a run. */
  readonly days?: number
}

/** A whole run with its records, for export and import. */
export interface RecordedRun {
  readonly run: string
  readonly name?: string
  readonly records: readonly JournalRecord[]
}

/** An open run that this process records. */
export interface RunLog {
  readonly run: string
  /** The records from before it was opened, in order. */
  readonly before: readonly JournalRecord[]
  /**
   * Resolves when the record is durable. Fails if it could not be written, if another process has taken over the run,
   * and as `taken` if there already is a record of this kind with this key.
   */
  append(record: Omit<JournalRecord, 'time'>): Promise<void>
  /** Waits for the answer with this key from outside the run. */
  waitForAnswer(key: string, signal: AbortSignal): Promise<unknown>
  /** Releases the run for other processes. */
  close(): Promise<void>
}

/** A record of a run, as plain data. There is at most one record of each kind per key. */
export interface JournalRecord {
  readonly key: string
  readonly kind: RecordKind
  /** Any JSON value. */
  readonly value: unknown
  /** In milliseconds since 1970. */
  readonly time: number
}

/** A step began, returned a value, waits for an answer, or was answered. */
export type RecordKind = (typeof RECORD_KINDS)[number]

/** All kinds of records. */
export const RECORD_KINDS = ['begin', 'value', 'wait', 'answer'] as const

/** Why something could not be recorded or read. */
export type JournalProblem =
  | 'busy'
  | 'taken'
  | 'full'
  | 'read_only'
  | 'corrupt'
  | 'newer'
  | 'imported'
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
