import { z } from 'zod'
import type {
  RunRequest,
  StartedRun,
  ResumeRequest,
  ForkRequest,
  Attachment,
} from '../../../runs/run-request.ts'
import type { Endpoint } from '../../endpoint.ts'
import { typed } from '../../schemas/described.ts'
import { folder, type InFolder } from '../../schemas/settings.ts'
import { promptFields, runFields, imageAttachment } from '../../schemas/run-request.ts'
import { ATTACHMENTS_SIZE, startedRun, runSummary } from '../../schemas/run-summary.ts'
import { JournalError, type RunSummary, callsSince } from '@toolglot/agent/journal'
import { isExecutionId } from '../../../runs/executions.ts'
import type { UndoneFile } from '@toolglot/tools/internal'
import { HttpError } from '../../../security/http-error.ts'

const turnNumber = z.number().int().min(0)

/** A run to start. */
interface StartRun extends RunRequest, InFolder {
  readonly prompt: string
}

/** Starts a run. */
export const startRun: Endpoint<'POST /api/runs', { readonly body: StartRun }, StartedRun> = {
  name: 'POST /api/runs',
  about: 'Start a run: ask a model, and run the tools it calls until there is an answer.',
  details:
    'The run continues when the client disconnects. Calls that need approval wait for an answer: see /api/approvals. A run that was interrupted by a stop of the server continues when the server starts again; a run started in the page does so only if no interrupted call may have changed something.',
  body: typed(z.strictObject({ folder, ...promptFields, ...runFields })),
  maxBody: ATTACHMENTS_SIZE,
  answers: { 201: { about: 'The run has started.', schema: startedRun } },
  handle: ({ body }, { services: { runs }, principal }) => runs.start(body, principal),
}

/** A message to an active run. */
interface SendMessage {
  readonly message: string
  readonly attachments?: readonly Extract<Attachment, { type: 'image' }>[] | undefined
}

/** Sends a message to a run. */
export const sendMessage: Endpoint<
  'POST /api/runs/:run/messages',
  { readonly body: SendMessage },
  undefined
> = {
  name: 'POST /api/runs/:run/messages',
  about: 'Send a message to an active run, which reads it before its next turn.',
  body: typed(
    z.strictObject({
      message: z.string().min(1).max(1_000_000).describe('The message.'),
      attachments: z.array(imageAttachment).max(20).optional().describe('Images.'),
    }),
  ),
  maxBody: ATTACHMENTS_SIZE,
  answers: { 204: { about: 'The message is recorded.' } },
  details: 'Images are refused if the model of the run does not accept them.',
  async handle(
    { parameters: { run }, body: { message, attachments = [] } },
    { services: { journal, runs } },
  ) {
    const images = attachments.length > 0
    if (images) runs.refuseImages(run)
    await journal.send(run, images ? [{ type: 'text', text: message }, ...attachments] : message)
    return undefined
  },
}

/** Continues a run. */
export const resumeRun: Endpoint<
  'POST /api/runs/:run/resume',
  { readonly body: ResumeRequest },
  StartedRun
> = {
  name: 'POST /api/runs/:run/resume',
  about: 'Continue a run, with another prompt or where it stopped.',
  details:
    'Nothing is done twice. The run continues in its folder, by default with its previous model. If the model, the protocol or the tools have changed, the request is refused unless `acceptChanges` is true.',
  body: typed(
    z.strictObject({
      ...promptFields,
      prompt: promptFields.prompt.optional(),
      ...runFields,
      acceptChanges: z
        .boolean()
        .optional()
        .describe('Continue even if the model, the protocol or the tools have changed.'),
    }),
  ),
  maxBody: ATTACHMENTS_SIZE,
  answers: { 200: { about: 'The run has started.', schema: startedRun } },
  handle: ({ parameters: { run }, body }, { services: { runs } }) => runs.resume(run, body),
}

/** Copies a run. */
export const forkRun: Endpoint<
  'POST /api/runs/:run/fork',
  { readonly body: ForkRequest },
  StartedRun
> = {
  name: 'POST /api/runs/:run/fork',
  about:
    'Copy a run up to a turn, and continue the copy with another prompt, another model, or both.',
  body: typed(
    z.strictObject({
      turn: turnNumber
        .max(1_000_000)
        .optional()
        .describe(
          'The first turn that is not copied. A prompt replaces the message before it. Default: copy all turns.',
        ),
      restoreFiles: z
        .boolean()
        .optional()
        .describe('Undo the changes by Write and Edit in the turns that are not copied.'),
      ...promptFields,
      prompt: promptFields.prompt.optional(),
      ...runFields,
    }),
  ),
  maxBody: ATTACHMENTS_SIZE,
  answers: { 201: { about: 'The copy has started.', schema: startedRun } },
  handle: ({ parameters: { run }, body }, { services: { runs }, principal }) =>
    runs.fork(run, body, principal),
}

/** Stops a run. */
export const stopRun: Endpoint<'POST /api/runs/:run/stop', object, RunSummary> = {
  name: 'POST /api/runs/:run/stop',
  about: 'Stop a run, even if another process executes it. It continues only if it is resumed.',
  answers: { 200: { about: 'The run is stopping or has stopped.', schema: runSummary } },
  async handle({ parameters: { run } }, { services: { runs, journal } }) {
    if (!(await journal.stop(run))) throw new JournalError('ended', 'The run has already ended.')
    return runs.find(run)
  },
}

/** A change made by a run that can be undone. */
interface FileChange {
  readonly path: string
  /** The id of the call that made it. */
  readonly call?: string | undefined
  readonly time: string
}

/** Lists the changes of a run. */
export const listChanges: Endpoint<'GET /api/runs/:run/changes', object, readonly FileChange[]> = {
  name: 'GET /api/runs/:run/changes',
  about: 'List the changes by Write and Edit in a run or an execution, the oldest first.',
  answers: {
    200: {
      about: 'The changes.',
      schema: z.array(
        z.object({ path: z.string(), call: z.string().optional(), time: z.string() }),
      ),
    },
  },
  async handle({ parameters: { run } }, { services: { runs, folders } }) {
    // Executions are not in the journal, and imported runs have changed nothing here.
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

/** The changes to undo. */
interface UndoRun {
  readonly turn?: number | undefined
}

const undoneFiles: z.ZodType<readonly UndoneFile[]> = typed(
  z.array(
    z.object({
      path: z.string(),
      status: z.enum(['restored', 'removed', 'unchanged', 'refused']),
      why: z.string().optional().describe('The reason for the refusal.'),
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
    'Undo the changes by Write and Edit in a run or an execution, except in files that have changed since.',
  body: typed(
    z.strictObject({
      turn: turnNumber
        .optional()
        .describe('Only changes in this turn and later ones. Default: all changes.'),
    }),
  ),
  answers: {
    200: {
      about: 'The result for each file.',
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
        action: 'An imported run has changed nothing here, so there is nothing to undo.',
      })
    return runs.holding(run, () => undo(turn))
  },
}
