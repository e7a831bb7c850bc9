import type { RunEvent } from '@toolglot/agent'
import { z } from 'zod'
import type { Endpoint } from '../../endpoint.ts'
import { recordedEvents } from '../../read-records.ts'
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
    const found = await runs.find(run)
    const events: RunEvent[] = []
    for (const event of recordedEvents(found, await journal.read(run))) {
      if (event.seq <= after) continue
      if (events.length === limit) break
      events.push(event)
    }
    return events
  },
}
