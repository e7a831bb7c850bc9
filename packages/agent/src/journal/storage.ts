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

/** The version of the tables and records of every journal. One of another version is moved aside, not converted. */
export const JOURNAL_VERSION = 4

/**
 * The records of a journal, in memory or in a database. `createJournal` makes a journal of it. Each method is atomic, also
 * among processes.
 */
export interface JournalStorage {
  /**
   * Makes this process the holder of a run. Fails as `busy` if a live process holds it, unless it may be taken over, and as
   * `imported` unless that is allowed. A missing run is created, or undefined is returned.
   */
  hold(run: string, options: HoldOptions): Promise<HeldRun | undefined>
  /** Lets other processes hold the run, unless another one already does. */
  release(run: string, epoch: string, options: CloseRunOptions): Promise<void>
  /**
   * Appends records of a run that is still held as it was at this epoch, all or none: unless there is one of the same kind
   * with the same key, or a message with the number `messagesRead`.
   */
  append(
    run: string,
    epoch: string,
    records: readonly EncodedRecord[],
    messagesRead?: number,
  ): Promise<Refusal | undefined>
  /** Appends an answer, if it is pending. */
  answer(run: string, record: EncodedRecord): Promise<Refusal | undefined>
  /** Appends a message to a run that has not ended. Its key in `record` is replaced by the next number. */
  post(run: string, record: EncodedRecord): Promise<Refusal | undefined>
  read(run: string, after: number): Promise<readonly JournalRecord[]>
  /**
   * Waits for a record, and resolves with its value, or until there are more records. Rejects with the signal's reason if
   * that aborts first.
   */
  wait(run: string, target: WaitTarget, signal: AbortSignal): Promise<unknown>
  /** The pending waits of the runs that have not ended and can be answered, the oldest first. */
  waits(run?: string): Promise<readonly WaitRecord[]>
  runs(options: RunsOptions): Promise<readonly RunSummary[]>
  rename(run: string, name: string): Promise<boolean>
  remove(run: string): Promise<boolean>
  prune(limits: PruneLimits): Promise<number>
  /** Adds a whole run. False if it exists. */
  add(run: EncodedRun): Promise<boolean>
  close(): Promise<void>
}

/** How a run is held. */
export interface HoldOptions extends Required<OpenRunOptions> {
  /** Whether a missing run is created. */
  readonly create: boolean
}

/** A run that this process holds. */
export interface HeldRun {
  readonly records: readonly JournalRecord[]
  /** It differs each time that a process becomes the holder. */
  readonly epoch: string
}

/** A record with its value as JSON text. */
export interface EncodedRecord extends JournalRecord {
  readonly text: string
}

/** A checked run with encoded records. */
export interface EncodedRun extends Omit<RecordedRun, 'records'> {
  readonly records: readonly EncodedRecord[]
  readonly imported: boolean
}

/** The record of a request that is waiting. */
export interface WaitRecord extends Pick<JournalRecord, 'key' | 'value' | 'time'> {
  readonly run: string
}

/** Values that servers share besides runs, such as the digests of tokens: JSON by key, each kind in its own space. */
export interface SharedValues {
  /** The value under a key; undefined if there is none, or no longer. */
  get(space: string, key: string, options?: GetValueOptions): Promise<unknown>
  /** Adds a value. False if there is one under this key. */
  add(space: string, key: string, value: unknown, options?: AddValueOptions): Promise<boolean>
  /** Removes a value. Of several concurrent callers, one gets true. */
  remove(space: string, key: string): Promise<boolean>
  /** The values of a space, by key. */
  list(space: string): Promise<ReadonlyMap<string, unknown>>
  /** Removes all values of a space. */
  clear(space: string): Promise<void>
}

/** Which value is read. */
export interface GetValueOptions {
  /** The owner of the value. Default: none. */
  readonly owner?: string
  /** Keeps it for so many milliseconds from now on. */
  readonly renew?: number
}

/** How a value is kept. */
export interface AddValueOptions {
  /** The owner of the value. Default: none. */
  readonly owner?: string
  /** In milliseconds. Default: for good. */
  readonly lifetime?: number
  /** How many values of its owner are kept in this space, and how many characters: those that were used last. */
  readonly limits?: { readonly count: number; readonly size: number }
}
