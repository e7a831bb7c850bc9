import { callsSince } from '@toolglot/agent/journal'
import type { UndoneFile } from '@toolglot/tools/internal'
import { z } from 'zod'
import { HttpError } from '../../../security/http-error.ts'
import { isExecutionId } from '../../../runs/executions.ts'
import type { Endpoint } from '../../endpoint.ts'
import { typed } from '../../schemas/described.ts'

/** Which changes are undone. */
export interface UndoRun {
  readonly turn?: number | undefined
}

const undoneFiles: z.ZodType<readonly UndoneFile[]> = typed(
  z.array(
    z.object({
      path: z.string(),
      status: z.enum(['restored', 'removed', 'unchanged', 'refused']),
      why: z.string().optional().describe('Why it was refused.'),
    }),
  ),
)

/** Undoes the changes of a run. */
export const undoRun: Endpoint<
  'POST /api/runs/:run/undo',
  { readonly body: UndoRun },
  readonly UndoneFile[]
> = {
  name: 'POST /api/runs/:run/undo',
  about:
    'Undo what Write and Edit changed in a run or an execution, except in files that have changed since.',
  body: typed(
    z.strictObject({
      turn: z
        .number()
        .int()
        .min(0)
        .optional()
        .describe('Only what was changed in this turn and after it. Default: everything.'),
    }),
  ),
  answers: {
    200: {
      about: 'What became of each file.',
      schema: undoneFiles,
    },
  },
  async handle(
    { parameters: { run }, body: { turn } },
    { services: { runs, executions, folders, journal } },
  ) {
    const undo = async (turnFrom?: number): Promise<readonly UndoneFile[]> => {
      const calls =
        turnFrom === undefined ? undefined : new Set(callsSince(await journal.read(run), turnFrom))
      return folders.useCheckpoints(async (checkpoints) => {
        const { files } = await checkpoints.undo(run, calls ? { calls } : {})
        return files
      })
    }
    // Executions are not in the journal.
    if (isExecutionId(run)) {
      executions.refuseBusy(run)
      return undo()
    }
    if ((await runs.find(run)).imported)
      throw new HttpError('run_imported', 'The run was recorded elsewhere.', {
        action: 'It has changed nothing here.',
      })
    return runs.holding(run, () => undo(turn))
  },
}
