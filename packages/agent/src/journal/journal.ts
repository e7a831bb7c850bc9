import type { RunSummary } from './summary.ts'

/**
 * Where runs are recorded, so that one that was killed goes on. A record is appended before its effect can be seen, and
 * nothing is ever changed. What fails, fails with a JournalError.
 */
export interface Journal {
  /** Opens a run to record more of it, and makes it if it is new. Refused where another process has it. */
  open(run: string, options?: OpenRunOptions): Promise<RunLog>
  /** All records of a run, in order; none if there is no such run. Anyone may read. */
  read(run: string): Promise<readonly JournalRecord[]>
  /** Records what somebody outside says, such as an approval. False: too late, or there is no such run. */
  answer(run: string, key: string, value: unknown): Promise<boolean>
  /** The runs, those that something happened in last first. */
  runs(options?: RunsOptions): Promise<readonly RunSummary[]>
  /** Gives a run a name for people. False: there is no such run. */
  rename(run: string, name: string): Promise<boolean>
  /** Forgets a run. False: there is no such run. Refused while it is open. */
  remove(run: string): Promise<boolean>
  /** Forgets the oldest runs, but none that is open or waits for an answer. Gives how many. */
  keep(cap: Cap): Promise<number>
  /** Records a run that was recorded elsewhere. Refused if there is one of that name. */
  add(run: RecordedRun): Promise<void>
  close(): Promise<void>
}

export interface OpenRunOptions {
  /** Also one that was recorded elsewhere: its approvals count as if they had been given here. */
  readonly imported?: boolean
}

export interface RunsOptions {
  /** Only those with this text in their name, first prompt, model or id. */
  readonly search?: string
  /** 100, if not told. */
  readonly limit?: number
}

export interface Cap {
  /** How many runs are kept. */
  readonly runs?: number
  /** How many days after its last record a run is kept. */
  readonly days?: number
}

export interface RecordedRun {
  readonly run: string
  readonly name?: string
  readonly records: readonly JournalRecord[]
}

/** A run that this process records. */
export interface RunLog {
  readonly run: string
  /** What was recorded before it was opened, in order. */
  readonly before: readonly JournalRecord[]
  /**
   * Resolves when the record is durable. Fails where it is not, where the run is another's by now, and as `taken` where
   * one of its kind stands under its key.
   */
  append(record: Omit<JournalRecord, 'time'>): Promise<void>
  /** The answer of somebody outside under a key, once it is there. */
  answered(key: string, signal: AbortSignal): Promise<unknown>
  /** Gives the run free for others. */
  close(): Promise<void>
}

/** Plain data. There is one of a kind under a key at most. */
export interface JournalRecord {
  readonly key: string
  readonly kind: RecordKind
  /** Anything that JSON can hold. */
  readonly value: unknown
  /** In milliseconds since 1970. */
  readonly time: number
}

/** What `key` names was begun; it gave a value; it waits for somebody's answer; they answered. */
export type RecordKind = (typeof RECORD_KINDS)[number]
export const RECORD_KINDS = ['begin', 'value', 'wait', 'answer'] as const

export type JournalProblem =
  | 'busy'
  | 'taken'
  | 'full'
  | 'read_only'
  | 'corrupt'
  | 'newer'
  | 'imported'
  | 'failed'

/** Something could not be recorded, so it did not happen. */
export class JournalError extends Error {
  readonly problem: JournalProblem

  constructor(problem: JournalProblem, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'JournalError'
    this.problem = problem
  }
}
