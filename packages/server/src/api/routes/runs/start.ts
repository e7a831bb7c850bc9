import { z } from 'zod'
import type { RunRequest, StartedRun } from '../../../runs/run-request.ts'
import type { Endpoint } from '../../endpoint.ts'
import { typed } from '../../schemas/described.ts'
import { folder, type InFolder } from '../../schemas/folder.ts'
import { promptFields, runFields } from '../../schemas/run-request.ts'
import { ATTACHMENTS_SIZE, startedRun } from '../../schemas/started-run.ts'

/** A run to start. */
export interface StartRun extends RunRequest, InFolder {
  readonly prompt: string
}

/** Starts a run. */
export const startRun: Endpoint<'POST /api/runs', { readonly body: StartRun }, StartedRun> = {
  name: 'POST /api/runs',
  about: 'Start a run: ask a model, and run the tools it calls until there is an answer.',
  details:
    'The run goes on when the client goes away. Calls that need approval wait until somebody answers: see /api/approvals. A run that was interrupted because the server stopped is continued when it starts again; one that was started in the page only if no call had begun that may have changed something.',
  body: typed(z.strictObject({ folder, ...promptFields, ...runFields })),
  maxBody: ATTACHMENTS_SIZE,
  answers: { 201: { about: 'It is under way.', schema: startedRun } },
  handle: ({ body }, { services: { runs }, principal }) => runs.start(body, principal),
}
