import { z } from 'zod'
import type { ResumeRequest, StartedRun } from '../../../runs/run-request.ts'
import type { Endpoint } from '../../endpoint.ts'
import { typed } from '../../schemas/described.ts'
import { promptFields, runFields } from '../../schemas/run-request.ts'
import { ATTACHMENTS_SIZE, startedRun } from '../../schemas/started-run.ts'

/** Continues a run. */
export const resumeRun: Endpoint<
  'POST /api/runs/:run/resume',
  { readonly body: ResumeRequest },
  StartedRun
> = {
  name: 'POST /api/runs/:run/resume',
  about: 'Continue a run: with another prompt, or where it stopped.',
  details:
    'Nothing in it is done twice. It continues in its folder, with the model it had unless another is named. If the model, the protocol or the tools have changed, that is refused until `acceptChanges` is true.',
  body: typed(
    z.strictObject({
      ...promptFields,
      prompt: promptFields.prompt.optional(),
      ...runFields,
      acceptChanges: z
        .boolean()
        .optional()
        .describe('Continue although the model, the protocol or the tools have changed.'),
    }),
  ),
  maxBody: ATTACHMENTS_SIZE,
  answers: { 200: { about: 'It is under way.', schema: startedRun } },
  handle: ({ parameters: { run }, body }, { services: { runs } }) => runs.resume(run, body),
}
