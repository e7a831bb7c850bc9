import type { JournalRecord } from '../../journal/journal.ts'
import type { RunEvent } from '../event.ts'
import { createEventReader } from './event-reader.ts'

/**
 * Reconstructs the recorded events of a run from its records. A text that the model wrote is one event, and transient
 * events, such as the progress of tools, are missing. No model is asked and no tool is run.
 */
export function* replay(run: string, records: Iterable<JournalRecord>): Generator<RunEvent> {
  const reader = createEventReader(run)
  for (const record of records) yield* reader.read(record)
}
