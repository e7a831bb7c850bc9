import { exportRun as printRun } from '@toolglot/agent/journal'
import type { Endpoint } from '../../endpoint.ts'

/** Exports a run. */
export const exportRun: Endpoint<'GET /api/runs/:run/export', object, Response> = {
  name: 'GET /api/runs/:run/export',
  about: 'Export a whole run as JSON Lines, including any secrets in it.',
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
