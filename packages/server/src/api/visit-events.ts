import type { RunEvent } from '@toolglot/agent'
import { yieldToOthers } from '@toolglot/agent/adapter/internal'
import type { JournalRecord } from '@toolglot/agent/journal'
import { recordedEvents, type RunOrigin } from './read-records.ts'

/**
 * Visits the recorded events of a run, in order, until one is what is looked for, while everything else gets its turn. Throws an
 * HttpError if they cannot be read.
 */
export async function visitEvents(
  run: RunOrigin,
  records: readonly JournalRecord[],
  {
    visit,
    signal,
  }: {
    /** Returns true to stop. */
    readonly visit: (event: RunEvent) => boolean | void
    readonly signal?: AbortSignal | undefined
  },
): Promise<boolean> {
  for (const event of recordedEvents(run, records)) {
    if (visit(event) === true) return true
    const pause = yieldToOthers()
    if (!pause) continue
    await pause
    signal?.throwIfAborted()
  }
  return false
}
