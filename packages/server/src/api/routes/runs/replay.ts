import { replay, type RunEvent } from '@toolglot/agent'
import type { JournalRecord } from '@toolglot/agent/journal'
import { z } from 'zod'
import { HttpError } from '../../../security/http-error.ts'
import type { Endpoint } from '../../endpoint.ts'
import { typed } from '../../schemas/described.ts'
import { runEvent } from '../../schemas/run-event.ts'

/** Which recorded events are listed. */
export interface ReplayRun {
  readonly after?: number | undefined
  readonly limit?: number | undefined
}

/** Lists the recorded events of a run. */
export const replayRun: Endpoint<
  'GET /api/runs/:run/replay',
  { readonly query: ReplayRun },
  readonly RunEvent[]
> = {
  name: 'GET /api/runs/:run/replay',
  about: 'List the recorded events of a run. Nothing is executed.',
  query: typed(
    z.strictObject({
      after: z.coerce
        .number()
        .int()
        .min(-1)
        .optional()
        .describe('Only the events after this number.'),
      limit: z.coerce.number().int().min(1).max(10_000).optional().describe('Default: 1000.'),
    }),
  ),
  answers: { 200: { about: 'The events, in order.', schema: z.array(runEvent) } },
  async handle(
    { parameters: { run }, query: { after = -1, limit = 1000 } },
    { services: { runs, journal } },
  ) {
    await runs.find(run)
    const events: RunEvent[] = []
    for (const event of readEvents(run, await journal.read(run))) {
      if (event.seq <= after) continue
      if (events.length === limit) break
      events.push(event)
    }
    return events
  },
}

/** The recorded events of a run. Throws an HttpError if they cannot be read: those of an imported one may be anything. */
export function readEvents(run: string, records: readonly JournalRecord[]): readonly RunEvent[] {
  try {
    return [...replay(run, records)]
  } catch (error) {
    throw asInvalidFile(error)
  }
}

/** The error for records that are not what a run records; any other error stays what it is. */
export function asInvalidFile(error: unknown): unknown {
  if (!(error instanceof TypeError)) return error
  return new HttpError('invalid_file', 'The records of this run are not what a run records.', {
    action: 'It was imported: delete it, and ask for another export.',
  })
}
