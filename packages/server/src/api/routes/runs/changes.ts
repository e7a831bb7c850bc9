import { z } from 'zod'
import { isExecutionId } from '../../../runs/executions.ts'
import type { Endpoint } from '../../endpoint.ts'

/** A change of a run that can be undone. */
export interface FileChange {
  readonly path: string
  /** The id of the call that made it. */
  readonly call?: string | undefined
  readonly time: string
}

/** Lists the changes of a run. */
export const listChanges: Endpoint<'GET /api/runs/:run/changes', object, readonly FileChange[]> = {
  name: 'GET /api/runs/:run/changes',
  about: 'List what Write and Edit changed in a run or an execution, the oldest first.',
  answers: {
    200: {
      about: 'The changes.',
      schema: z.array(
        z.object({ path: z.string(), call: z.string().optional(), time: z.string() }),
      ),
    },
  },
  async handle({ parameters: { run } }, { services: { runs, folders } }) {
    // Executions are not in the journal. What is imported has changed nothing here.
    if (!isExecutionId(run) && (await runs.find(run)).imported) return []
    return folders.useCheckpoints(async (checkpoints) =>
      (await checkpoints.changes(run)).map(({ path, call, time }) => ({
        path,
        time,
        call,
      })),
    )
  },
}
