import { findFolder } from '@toolglot/workspace/internal'
import { z } from 'zod'
import { type FindRuns, type FoundRuns, findRuns } from '../find-runs.ts'
import type { Endpoint } from '../endpoint.ts'
import { typed } from '../schemas/described.ts'
import { folder, type InFolder } from '../schemas/folder.ts'
import { runSummary } from '../schemas/run-summary.ts'

/** Which runs are searched for. */
export interface SearchRuns extends InFolder, FindRuns {}

const name = z.string().min(1).max(1000).optional()

const foundRuns: z.ZodType<FoundRuns> = typed(
  z
    .object({
      runs: z.array(runSummary),
      total: z.number().describe('How many runs there are, found or not.'),
      next: z.string().optional().describe('There may be more: ask again with this.'),
    })
    .meta({ id: 'FoundRuns', description: 'Some of the runs that were searched for.' }),
)

/** Searches the runs. */
export const searchRuns: Endpoint<'GET /api/search', { readonly query: SearchRuns }, FoundRuns> = {
  name: 'GET /api/search',
  about: 'Search the recorded runs, the latest first, also by what was said, called and answered.',
  details:
    'A request takes about a second, or as long as one very large run takes. If not all runs were looked at by then, or there are more than `limit`, the answer has `next`: ask again with it as `after`, also if nothing was found so far.',
  query: typed(
    z.strictObject({
      folder: folder.describe('Only runs in this folder. Default: all runs.'),
      text: z
        .string()
        .max(1000)
        .optional()
        .describe(
          'Only runs with this text in their name, id, model, in a message, in what the model wrote, or in a call or its result.',
        ),
      tool: name.describe('Only runs that called this tool.'),
      model: name.describe('Only runs that used exactly this model, or `unknown`.'),
      protocol: name.describe('Only runs that used this protocol, `native`, or `unknown`.'),
      reason: name.describe('Only runs that ended for this reason, or are in this state.'),
      limit: z.coerce.number().int().min(1).max(1000).optional().describe('Default: 100.'),
      after: z.string().max(1000).optional().describe('Where the last answer stopped: its `next`.'),
    }),
  ),
  answers: {
    200: {
      about: 'The runs.',
      schema: foundRuns,
    },
  },
  handle: ({ query: { folder: path, ...query } }, { services: { journal, outlines }, signal }) =>
    findRuns(journal, outlines, {
      ...query,
      signal,
      ...(path !== undefined && { folder: findFolder(path) ?? path }),
    }),
}
