import type {
  CloseRunOptions,
  JournalRecord,
  OpenRunOptions,
  PruneLimits,
  RecordedRun,
  RunsOptions,
} from './journal.ts'
import type { Refusal } from './refusal.ts'
import type { RunSummary } from './run-summary.ts'
import type { WaitTarget } from './waiters.ts'

/**
 * The version of the tables and records of all journals. A journal of another version is moved
 * aside, not converted.
 */
export const JOURNAL_VERSION = 4

/**
 * The storage behind a journal: records in memory or in a database. `createJournal` makes a journal
 * of it. Each method is atomic, even across processes.
 */
export interface JournalStorage {
  /**
   * Makes this process the holder of a run. Fails as `busy` if a live process holds it, unless
   * takeover is allowed, and as `imported` unless imported runs are allowed. Depending on the
   * options, creates a missing run or returns undefined.
   */
  hold(run: string, options: HoldOptions): Promise<HeldRun | undefined>
  /** Releases the run for other processes, unless another process already holds it. */
  release(run: string, epoch: string, options: CloseRunOptions): Promise<void>
  /**
   * Appends records to a run, all or none. Fails if the run is no longer held at this epoch, if a
   * record of the same kind exists under the same key, or if there is a message with the number
   * `messagesRead`.
   */
  append(
    run: string,
    epoch: string,
    records: readonly EncodedRecord[],
    messagesRead?: number,
  ): Promise<Refusal | undefined>
  /** Appends an answer if its request is pending. */
  answer(run: string, record: EncodedRecord): Promise<Refusal | undefined>
  /**
   * Appends a message to a run that has not ended. The key in `record` is replaced with the next
   * number.
   */
  post(run: string, record: EncodedRecord): Promise<Refusal | undefined>
  read(run: string, after: number): Promise<readonly JournalRecord[]>
  /**
   * Waits for a record and resolves with its value, or waits until there are more records. Rejects
   * with the signal's reason if the signal is aborted first.
   */
  wait(run: string, target: WaitTarget, signal: AbortSignal): Promise<unknown>
  /** The pending requests of all runs that have not ended and can be answered, oldest first. */
  waits(run?: string): Promise<readonly WaitRecord[]>
  runs(options: RunsOptions): Promise<readonly RunSummary[]>
  rename(run: string, name: string): Promise<boolean>
  remove(run: string): Promise<boolean>
  prune(limits: PruneLimits): Promise<number>
  /** Adds a complete run. Returns false if it already exists. */
  add(run: EncodedRun): Promise<boolean>
  close(): Promise<void>
}

/** Options for `JournalStorage.hold`. */
export interface HoldOptions extends Required<OpenRunOptions> {
  /** Create the run if it is missing. */
  readonly create: boolean
}

/** A run held by this process. */
export interface HeldRun {
  readonly records: readonly JournalRecord[]
  /** A different value each time a process becomes the holder. */
  readonly epoch: string
}

/** A record whose value is JSON text. */
export interface EncodedRecord extends JournalRecord {
  readonly text: string
}

/** A checked run with encoded records. */
export interface EncodedRun extends Omit<RecordedRun, 'records'> {
  readonly records: readonly EncodedRecord[]
  readonly imported: boolean
}

/** The record of a pending request. */
export interface WaitRecord extends Pick<JournalRecord, 'key' | 'value' | 'time'> {
  readonly run: string
}

/**
 * Values that servers share in addition to runs, such as digests of tokens: JSON by key, with a
 * separate space for each kind.
 */
export interface SharedValues {
  /** Returns the value with this key, or undefined if it does not exist or has expired. */
  get(space: string, key: string, options?: GetValueOptions): Promise<unknown>
  /** Adds a value. Returns false if the key is already in use. */
  add(space: string, key: string, value: unknown, options?: AddValueOptions): Promise<boolean>
  /** Removes a value. If several callers do so simultaneously, only one gets true. */
  remove(space: string, key: string): Promise<boolean>
  /** The values of a space, by key. */
  list(space: string): Promise<ReadonlyMap<string, unknown>>
  /** Removes all values of a space. */
  clear(space: string): Promise<void>
}

/** Options for `SharedValues.get`. */
export interface GetValueOptions {
  /** The owner of the value. Default: none. */
  readonly owner?: string
  /** Extend the lifetime to this many milliseconds from now. */
  readonly renew?: number
}

/** Options for `SharedValues.add`. */
export interface AddValueOptions {
  /** The owner of the value. Default: none. */
  readonly owner?: string
  /** The lifetime in milliseconds. Default: unlimited. */
  readonly lifetime?: number
  /**
   * The maximum number and total length in characters of one owner's values in this space. The
   * least recently used values are removed first.
   */
  readonly limits?: { readonly count: number; readonly size: number }
}
