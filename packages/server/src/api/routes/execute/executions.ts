import { z } from 'zod'
import { HttpError } from '../../../security/http-error.ts'
import type { Endpoint } from '../../endpoint.ts'
import { typed } from '../../schemas/described.ts'
import { executionAnswers, type ExecutionResult, respond } from './result.ts'

/** How long to wait for an execution. */
export interface AwaitExecution {
  readonly wait?: number | undefined
}

/** Shows how far an execution is. */
export const showExecution: Endpoint<
  'GET /api/tools/executions/:id',
  { readonly query: AwaitExecution },
  ExecutionResult
> = {
  name: 'GET /api/tools/executions/:id',
  about: 'Show the result of a call that needed approval, or what it waits for.',
  details:
    'It answers at once, or with `wait` as soon as something changes: the call is approved or denied, has a question, or has ended. The last hundred results are kept, in memory only.',
  query: typed(
    z.strictObject({
      wait: z.coerce
        .number()
        .min(0)
        .max(60)
        .optional()
        .describe('How many seconds to wait for a change, unless it has ended. Default: 0.'),
    }),
  ),
  answers: executionAnswers,
  async handle({ parameters: { id }, query: { wait = 0 } }, { services, signal }) {
    const { executions, closing } = services
    const execution = await executions.find(id, wait * 1000, [signal, closing])
    if (!execution) throw unknown()
    return respond(execution)
  },
}

/** Stops an execution. */
export const stopExecution: Endpoint<'DELETE /api/tools/executions/:id', object, undefined> = {
  name: 'DELETE /api/tools/executions/:id',
  about: 'Stop a call that waits for approval, or is being executed.',
  answers: { 204: { about: 'It stops.' } },
  handle({ parameters: { id } }, { services: { executions } }) {
    if (!executions.stop(id)) throw unknown()
    return undefined
  },
}

function unknown(): HttpError {
  return new HttpError('not_found', 'There is no such execution, or it is long over.', {
    action: 'Nothing of it runs. Execute the call again.',
  })
}
