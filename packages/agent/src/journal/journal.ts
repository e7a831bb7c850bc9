/**
 * Where runs are recorded, so that one that was killed goes on. A record is appended before its effect can be seen, and
 * nothing is ever changed.
 */
export interface Journal {
  /** Opens a run to record more of it, and makes it if it is new. Refused (JournalError) where another process has it. */
  open(run: string): Promise<RunLog>
  /** All records of a run, in order; none if there is no such run. Anyone may read. */
  read(run: string): Promise<readonly JournalRecord[]>
  /** Records what somebody outside says, such as an approval. False: something stands under this key already. */
  answer(run: string, key: string, value: unknown): Promise<boolean>
  close(): Promise<void>
}

/** A run that this process records. */
export interface RunLog {
  readonly run: string
  /** What was recorded before it was opened, in order. */
  readonly before: readonly JournalRecord[]
  /** Resolves when the record is durable. It fails (JournalError) where it is not, or where the run is another's by now. */
  append(record: Omit<JournalRecord, 'time'>): Promise<void>
  /** The answer of somebody outside under a key, once it is there. */
  answered(key: string, signal: AbortSignal): Promise<unknown>
  /** Gives the run free for others. */
  close(): Promise<void>
}

/** Plain data. `begin`: what `key` names was begun; `value`: it gave this. */
export interface JournalRecord {
  readonly key: string
  readonly kind: 'begin' | 'value'
  /** Anything that JSON can hold. */
  readonly value: unknown
  /** In milliseconds since 1970. */
  readonly time: number
}

export type JournalProblem = 'busy' | 'full' | 'read_only' | 'corrupt' | 'newer' | 'failed'

/** Something could not be recorded, so it did not happen. */
export class JournalError extends Error {
  readonly problem: JournalProblem

  constructor(problem: JournalProblem, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'JournalError'
    this.problem = problem
  }
}
