import { JournalError, type RunSummary } from '@toolglot/agent/journal'
import type { Endpoint } from '../../endpoint.ts'
import { runSummary } from '../../schemas/run-summary.ts'

/** Stops a run. */
export const stopRun: Endpoint<'POST /api/runs/:run/stop', object, RunSummary> = {
  name: 'POST /api/runs/:run/stop',
  about: 'Stop a run for good, whichever process executes it. Only resuming it continues it.',
  answers: { 200: { about: 'It stops, or has stopped.', schema: runSummary } },
  async handle({ parameters: { run } }, { services: { runs, journal } }) {
    if (!(await journal.stop(run))) throw new JournalError('ended', 'The run has already ended.')
    return runs.find(run)
  },
}
