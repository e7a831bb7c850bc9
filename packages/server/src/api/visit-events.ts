import { replay, type RunEvent } from '@toolglot/agent'
import { yieldToOthers } from '@toolglot/agent/adapter/internal'
import type { JournalRecord } from '@toolglot/agent/journal'
import { asInvalidFile } from './routes/runs/replay.ts'

/**
 * Visits the recorded events of a run, in order, until one is what is looked for, while everything else gets its turn. Throws an
 * HttpError if they cannot be read.
 */
export async function visitEvents(
  run: string,
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
  const events = replay(run, records)
  for (;;) {
    const step = nextOf(events)
    if (step.done) return false
    if (visit(step.value) === true) return true
    const pause = yieldToOthers()
    if (!pause) continue
    await pause
    signal?.throwIfAborted()
  }
}

function nextOf(events: Generator<RunEvent>): IteratorResult<RunEvent> {
  try {
    return events.next()
  } catch (error) {
    throw asInvalidFile(error)
  }
}
