import type { RunSummary } from '@toolglot/agent/journal'
import { z } from 'zod'
import type { Endpoint } from '../../endpoint.ts'
import { typed } from '../../schemas/described.ts'
import { runSummary } from '../../schemas/run-summary.ts'

/** Names a run. */
export const renameRun: Endpoint<
  'PATCH /api/runs/:run',
  { readonly body: { readonly name: string } },
  RunSummary
> = {
  name: 'PATCH /api/runs/:run',
  about: 'Give a run a name. Runs with a name are never deleted by themselves.',
  body: typed(
    z.strictObject({
      name: z
        .string()
        .trim()
        .min(1)
        .max(200)
        .regex(/^\P{Cs}+$/u, 'Expected whole characters')
        .describe('The new name.'),
    }),
  ),
  answers: { 200: { about: 'The run.', schema: runSummary } },
  async handle({ parameters: { run }, body: { name } }, { services: { runs, journal } }) {
    await runs.find(run)
    await journal.rename(run, name)
    return runs.find(run)
  },
}
