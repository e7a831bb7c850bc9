import type { PendingRequest, RunSummary } from '@toolglot/agent/journal'
import { z } from 'zod'
import type { Endpoint } from '../../endpoint.ts'
import { pendingRequest } from '../../schemas/pending-request.ts'
import { runSummary } from '../../schemas/run-summary.ts'

/** A run, and what it waits for. */
export interface ShownRun {
  readonly summary: RunSummary
  /** Whether this server executes it. */
  readonly active: boolean
  readonly waiting: readonly PendingRequest[]
}

/** Shows a run. */
export const showRun: Endpoint<'GET /api/runs/:run', object, ShownRun> = {
  name: 'GET /api/runs/:run',
  about: 'Show a run, and what it waits for.',
  answers: {
    200: {
      about: 'The run.',
      schema: z.object({
        summary: runSummary,
        active: z.boolean().describe('Whether this server executes it.'),
        waiting: z.array(pendingRequest),
      }),
    },
  },
  async handle({ parameters: { run } }, { services: { runs, journal } }) {
    const summary = await runs.find(run)
    return { summary, active: runs.isActive(run), waiting: await journal.waiting({ run }) }
  },
}
