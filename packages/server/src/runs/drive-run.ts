import { run, type RunEvent, type RunFacts, type RunOptions } from '@toolglot/agent'
import { forkRun, type Journal, type RunSummary } from '@toolglot/agent/journal'
import {
  chooseWorkspaceModel,
  type OpenTools,
  prepareRun,
  rememberRules,
  restoreFiles,
  type RunSetup,
  type Workspace,
} from '@toolglot/workspace'
import { patientFetch } from '../node/fetch.ts'
import { HttpError } from '../security/http-error.ts'
import { type ComposedPrompt, composePrompt } from './compose-prompt.ts'
import type { ResumeRequest, StartedRun } from './run-request.ts'
import { stopping } from './stopping.ts'

/** One execution of a run. */
export interface RunExecution {
  readonly id: string
  readonly workspace: Workspace
  readonly request: ResumeRequest
  readonly owner?: string
  /** How a run that is resumed or forked was set up before. */
  readonly before?: Pick<RunFacts, 'modelReference' | 'modelNamedBy' | 'limits'> | undefined
  readonly isResumed?: boolean
  /** The run that it begins as a copy of. */
  readonly fork?: { readonly source: RunSummary; readonly turn: number; readonly restores: boolean }
}

/** What a run is executed with. */
export interface DriveOptions {
  readonly journal: Journal
  readonly opened: OpenTools
  /** Finishes what is in progress, and leaves the rest for later. */
  readonly release: AbortSignal
  /** Stops at once. */
  readonly signal: AbortSignal
  /** Called once, when the run is under way. */
  readonly onStart: (started: StartedRun) => void
  readonly onEvent: (event: RunEvent) => void
}

/** Executes a run to its end. Throws an HttpError if it cannot begin. */
export async function driveRun(execution: RunExecution, options: DriveOptions): Promise<void> {
  const { id, workspace, request, before, fork } = execution
  const { journal, opened, signal, onStart, onEvent } = options
  const setup = await prepareRun(workspace, { system: request.system, journal, opened })
  const chosen = await chooseWorkspaceModel(workspace, {
    model: request.model,
    before,
    protocol: request.protocol,
    signal,
    connection: { fetch: patientFetch },
  })
  const composed =
    request.prompt === undefined
      ? undefined
      : await composePrompt(request.prompt, request.attachments ?? [], setup, {
          run: id,
          chosen,
          signal,
        })
  const kept = fork ? await copyRun(execution, fork, setup, composed) : []
  const started: StartedRun = {
    run: id,
    folder: workspace.folder,
    model: chosen.reference,
    why: chosen.why,
    warnings: [...setup.warnings, ...(composed?.notes ?? []), ...kept],
  }
  let changes: readonly string[] | undefined
  let isUnderWay = false
  const events = run({
    ...runOptions(execution, setup, composed, options),
    model: chosen.model,
    ...(chosen.protocol && { protocol: chosen.protocol }),
    confirm: async (found) => {
      if (!request.acceptChanges) changes = found
      return request.acceptChanges === true
    },
  })
  for await (const event of events) {
    // An end that is recorded is one: all that a run needed may have been recorded before.
    if (!isUnderWay && event.type === 'run-end' && event.transient) throw neverBegan(event, changes)
    // A run that is resumed may be refused after these.
    if (!event.transient || (event.type !== 'run-start' && event.type !== 'warning')) {
      if (!isUnderWay) onStart(started)
      isUnderWay = true
    }
    onEvent(event)
  }
}

function runOptions(
  { id, workspace, request, owner, before, isResumed, fork }: RunExecution,
  { tools, fileSystem, permissions, journal, system, untrusted }: RunSetup,
  composed: ComposedPrompt | undefined,
  { signal, release }: DriveOptions,
): Omit<RunOptions, 'model'> {
  return {
    id,
    tools,
    fileSystem,
    permissions,
    journal,
    system,
    signal,
    release,
    untrusted: [...untrusted, ...(composed?.untrusted ?? [])],
    attended: true,
    remember: async (rules, scope) => void (await rememberRules(workspace, rules, scope)),
    limits: { ...before?.limits, ...request.limits },
    ...(composed && { prompt: composed.prompt }),
    ...(owner !== undefined && { owner }),
    ...(isResumed && { resume: true }),
    ...(fork && { fork: { run: fork.source.run, turn: fork.turn } }),
  }
}

/** Copies a run, and then restores the files as they were, if that is wanted. Returns what to know about them. */
async function copyRun(
  { id, owner }: RunExecution,
  fork: NonNullable<RunExecution['fork']>,
  setup: RunSetup,
  composed: ComposedPrompt | undefined,
): Promise<readonly string[]> {
  const { source, turn, restores } = fork
  const { journal } = setup
  await forkRun(journal, source.run, {
    id,
    turn,
    ...(composed && { prompt: composed.prompt, untrusted: composed.untrusted }),
    ...(owner !== undefined && { owner }),
  })
  if (!restores) return []
  try {
    const { files, keptChangesOf, keptUnknownChanges } = await restoreFiles(setup, fork)
    return [
      ...files.flatMap(({ path, status, why }) =>
        status === 'refused' ? [`${path} was not restored: ${why}`] : [],
      ),
      ...(keptChangesOf
        ? [`what ${keptChangesOf.run} changed before its turn ${keptChangesOf.turn} stays as it is`]
        : []),
      ...(keptUnknownChanges ? ['changes stay that version 0.1 recorded without their calls'] : []),
    ]
  } catch (error) {
    await journal.remove(id)
    throw error
  }
}

function neverBegan(
  { error = '', reason }: Extract<RunEvent, { type: 'run-end' }>,
  changes: readonly string[] | undefined,
): HttpError {
  if (changes)
    return new HttpError('run_changed', error, {
      action: 'To continue it all the same, send acceptChanges: true.',
      members: { changes },
    })
  if (reason === 'storage')
    return new HttpError('storage_failed', error, { action: 'toolglot doctor says what is wrong.' })
  if (reason === 'interrupted' || reason === 'cancelled') return stopping()
  return new HttpError('run_ended', error || `The run ended: ${reason}.`, {
    action: 'Send a prompt to continue it with.',
  })
}
