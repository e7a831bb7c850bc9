import type { Journal, JournalRecord } from '../../journal/journal.ts'
import type { RunEvent } from '../event.ts'
import { createRecordReader } from './record-reader.ts'

/**
 * Recreates the recorded events of a run from its records. Each text written by the model is a
 * single event, and transient events such as the progress of tools are missing. No model is called
 * and no tools run.
 */
export function* replay(run: string, records: Iterable<JournalRecord>): Generator<RunEvent> {
  const reader = createRecordReader(run)
  for (const record of records) yield* reader.read(record)
}

/** Options for `follow`. */
export interface FollowOptions {
  /**
   * Skip the events up to and including this number, usually the number of the last event received.
   * Default: skip none.
   */
  readonly after?: number | undefined
  /** Stops waiting for more events. */
  readonly signal?: AbortSignal | undefined
  /**
   * Keep waiting for events after the end of the run, because it may be resumed. Default: false.
   */
  readonly beyondEnd?: boolean | undefined
}

/**
 * Yields the recorded events of a run, which any process may be executing, each once and in order:
 * first the existing ones, then new ones as they are recorded. Returns when the run has ended or
 * the signal is aborted.
 */
export async function* follow(
  journal: Pick<Journal, 'read' | 'changed'>,
  run: string,
  options: FollowOptions = {},
): AsyncGenerator<RunEvent, void> {
  const { after = -1, signal = new AbortController().signal, beyondEnd = false } = options
  const reader = createRecordReader(run)
  let count = 0
  for (;;) {
    const records = await journal.read(run, count)
    count += records.length
    const events = records.flatMap((record) => reader.read(record))
    for (const event of events) {
      if (event.seq > after) yield event
      if (signal.aborted) return
    }
    const hasEnded = events.at(-1)?.type === 'run-end'
    if (hasEnded && !beyondEnd) return
    try {
      await journal.changed(run, count, signal)
    } catch (error) {
      if (signal.aborted) return
      throw error
    }
  }
}
