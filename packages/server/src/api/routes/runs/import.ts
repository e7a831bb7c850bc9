import { importRuns as addRuns } from '@toolglot/agent/journal'
import { z } from 'zod'
import { HttpError } from '../../../security/http-error.ts'
import type { Endpoint } from '../../endpoint.ts'
import { typed } from '../../schemas/described.ts'

/** Exported runs. */
export interface ImportRuns {
  readonly lines: string
}

/** Imports runs. */
export const importRuns: Endpoint<
  'POST /api/runs/import',
  { readonly body: ImportRuns },
  { readonly runs: readonly string[] }
> = {
  name: 'POST /api/runs/import',
  about: 'Import exported runs. They can be read, but neither resumed nor forked.',
  body: typed(
    z.strictObject({ lines: z.string().describe('What an export returned: JSON Lines.') }),
  ),
  maxBody: 64 << 20,
  answers: {
    200: { about: 'The ids of the runs.', schema: z.object({ runs: z.array(z.string()) }) },
  },
  async handle({ body: { lines } }, { services: { journal } }) {
    try {
      return { runs: await addRuns(journal, lines) }
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      throw new HttpError('invalid_file', error.message, {
        action: 'Export the run again. Nothing was imported.',
      })
    }
  },
}
