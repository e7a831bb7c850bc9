import {
  type RunSummary,
  type PendingRequest,
  exportRun as printRun,
  importRuns as addRuns,
} from '@toolglot/agent/journal'
import { findFolder } from '@toolglot/workspace/internal'
import { z } from 'zod'
import type { Endpoint } from '../../endpoint.ts'
import { typed } from '../../schemas/described.ts'
import { folder, type InFolder } from '../../schemas/settings.ts'
import { runSummary } from '../../schemas/run-summary.ts'
import { pendingRequest } from '../../schemas/pending-request.ts'
import { HttpError } from '../../../security/http-error.ts'

/** Selects the runs to list. */
interface ListRuns extends InFolder {
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

/** A run, and its pending requests. */
export interface ShownRun {
  readonly summary: RunSummary
  /** True if this server executes it. */
  readonly active: boolean
  readonly waiting: readonly PendingRequest[]
}

/** Shows a run. */
export const showRun: Endpoint<'GET /api/runs/:run', object, ShownRun> = {
  name: 'GET /api/runs/:run',
  about: 'Show a run and its pending requests.',
  answers: {
    200: {
      about: 'The run.',
      schema: z.object({
        summary: runSummary,
        active: z.boolean().describe('True if this server executes it.'),
        waiting: z.array(pendingRequest),
      }),
    },
  },
  async handle({ parameters: { run } }, { services: { runs, journal } }) {
    const summary = await runs.find(run)
    return { summary, active: runs.isActive(run), waiting: await journal.waiting({ run }) }
  },
}

/** Names a run. */
export const renameRun: Endpoint<
  'PATCH /api/runs/:run',
  { readonly body: { readonly name: string } },
  RunSummary
> = {
  name: 'PATCH /api/runs/:run',
  about: 'Give a run a name. Named runs are never deleted automatically.',
  body: typed(
    z.strictObject({
      name: z
        .string()
        .trim()
        .min(1)
        .max(200)
        .regex(/^\P{Cs}+$/u, 'must not contain half of a surrogate pair')
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

/** Deletes a run. */
export const removeRun: Endpoint<'DELETE /api/runs/:run', object, undefined> = {
  name: 'DELETE /api/runs/:run',
  about: 'Delete a run. Its changes to files stay.',
  answers: { 204: { about: 'The run was deleted.' } },
  async handle({ parameters: { run } }, { services: { runs, journal } }) {
    await runs.find(run)
    await journal.remove(run)
    await runs.forget(run)
    return undefined
  },
}

/** Exports a run. */
export const exportRun: Endpoint<'GET /api/runs/:run/export', object, Response> = {
  name: 'GET /api/runs/:run/export',
  about: 'Export a complete run as JSON Lines, including any secrets in it.',
  answers: { 200: { about: 'One line for each record.', type: 'application/x-ndjson' } },
  async handle({ parameters: { run } }, { services: { runs, journal } }) {
    await runs.find(run)
    return new Response(await printRun(journal, run), {
      headers: {
        'content-type': 'application/x-ndjson',
        'content-disposition': 'attachment; filename="run.jsonl"',
      },
    })
  },
}

/** Exported runs. */
interface ImportRuns {
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
  body: typed(z.strictObject({ lines: z.string().describe('The JSON Lines of an export.') })),
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
