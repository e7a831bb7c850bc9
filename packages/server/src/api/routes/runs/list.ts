import type { RunSummary } from '@toolglot/agent/journal'
import { findFolder } from '@toolglot/workspace/internal'
import { z } from 'zod'
import type { Endpoint } from '../../endpoint.ts'
import { typed } from '../../schemas/described.ts'
import { folder, type InFolder } from '../../schemas/folder.ts'
import { runSummary } from '../../schemas/run-summary.ts'

/** Which runs are listed. */
export interface ListRuns extends InFolder {
  readonly search?: string | undefined
  readonly limit?: number | undefined
}

/** Lists runs. */
export const listRuns: Endpoint<
  'GET /api/runs',
  { readonly query: ListRuns },
  readonly RunSummary[]
> = {
  name: 'GET /api/runs',
  about: 'List the recorded runs, the latest first.',
  query: typed(
    z.strictObject({
      folder: folder.describe('Only runs in this folder. Default: all runs.'),
      search: z
        .string()
        .max(1000)
        .optional()
        .describe('Only runs with this text in their name, first prompt, model or id.'),
      limit: z.coerce.number().int().min(1).max(1000).optional().describe('Default: 100.'),
    }),
  ),
  answers: { 200: { about: 'The runs.', schema: z.array(runSummary) } },
  handle: ({ query: { folder: path, search, limit = 100 } }, { services: { journal } }) =>
    journal.runs({
      limit,
      search,
      folder: path === undefined ? undefined : (findFolder(path) ?? path),
    }),
}
