import { z } from 'zod'
import type { ForkRequest, StartedRun } from '../../../runs/run-request.ts'
import type { Endpoint } from '../../endpoint.ts'
import { typed } from '../../schemas/described.ts'
import { promptFields, runFields } from '../../schemas/run-request.ts'
import { ATTACHMENTS_SIZE, startedRun } from '../../schemas/started-run.ts'

/** Copies a run. */
export const forkRun: Endpoint<
  'POST /api/runs/:run/fork',
  { readonly body: ForkRequest },
  StartedRun
> = {
  name: 'POST /api/runs/:run/fork',
  about:
    'Copy a run up to a turn, and continue the copy: with other words, another model, or both.',
  body: typed(
    z.strictObject({
      turn: z
        .number()
        .int()
        .min(0)
        .max(1_000_000)
        .optional()
        .describe(
          'The first turn that is not copied. A prompt replaces the message before it. Default: all turns are copied.',
        ),
      restoreFiles: z
        .boolean()
        .optional()
        .describe('Undo what Write and Edit changed in the turns that are not copied.'),
      ...promptFields,
      prompt: promptFields.prompt.optional(),
      ...runFields,
    }),
  ),
  maxBody: ATTACHMENTS_SIZE,
  answers: { 201: { about: 'The copy is under way.', schema: startedRun } },
  handle: ({ parameters: { run }, body }, { services: { runs }, principal }) =>
    runs.fork(run, body, principal),
}
