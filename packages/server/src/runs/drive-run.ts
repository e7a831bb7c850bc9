import {
  drive,
  type DriveOptions,
  type DriveOutcome,
  type Model,
  type RunEvent,
  type RunFacts,
} from '@toolglot/agent'
import { checkRunRules, runRulesFor, withRunRules } from '@toolglot/agent/internal'
import {
  forkRun,
  type Journal,
  JournalError,
  type RunLog,
  type RunSummary,
} from '@toolglot/agent/journal'
import {
  type ChosenModel,
  chooseWorkspaceModel,
  type OpenTools,
  prepareRun,
  rememberAllowed,
  restoreFiles,
  type RunSetup,
  type Workspace,
} from '@toolglot/workspace'
import { HttpError } from '../security/http-error.ts'
import {
  type ComposedPrompt,
  composePrompt,
  type ResumeRequest,
  type RunRequest,
  type StartedRun,
} from './run-request.ts'
import { stopping } from './stopping.ts'

/** One execution of a run. */
export interface RunExecution {
  readonly id: string
  readonly workspace: Workspace
  readonly request: ResumeRequest
  readonly owner?: string
  /** The previous setup of a run that is resumed or forked. */
  readonly before?:
    | Pick<RunFacts, 'modelReference' | 'modelNamedBy' | 'limits' | 'permissions'>
    | undefined
  /**
   * The log of a resumed run. It is opened first, so that no process changes or deletes the run
   * before it resumes.
   */
  readonly log?: RunLog
  /** For runs that continue automatically: the treatment of a changed setup. */
  readonly whenChanged?: 'leave' | 'ask' | 'continue' | undefined
  /** The run that is copied. */
  readonly fork?: { readonly source: RunSummary; readonly turn: number; readonly restores: boolean }
}

/** The options of a run's execution. */
export interface ExecutionOptions {
  readonly journal: Journal
  readonly opened: OpenTools
  /** The behavior while a request is pending. */
  readonly onWait: 'wait' | 'suspend'
  /** The version of the code and tools of this process. */
  readonly version?: string | undefined
  /** When this signal aborts, current work is finished and the rest is left for later. */
  readonly release: AbortSignal
  /** Stops the run immediately when it aborts. */
  readonly signal: AbortSignal
  /** Called with the model before the run begins. */
  readonly onModel: (model: Model) => void
  /** Called once the run has started. */
  readonly onStart: (started: StartedRun) => void
  readonly onEvent: (event: RunEvent) => void
}

/**
 * Executes a run until it ends, is suspended or is released. Throws an HttpError if it cannot
 * start, and a JournalError if it can no longer be recorded.
 */
export async function driveRun(execution: RunExecution, options: ExecutionOptions): Promise<void> {
  const { id, workspace, request, before, fork, whenChanged } = execution
  const { journal, opened, signal, release, onStart, onEvent } = options
  const setup = await prepareRun(workspace, { system: request.system, journal, opened })
  checkRules(request, setup)
  const chosen = await chooseWorkspaceModel(workspace, {
    model: request.model,
    before,
    protocol: request.protocol,
    signal,
  })
  if (request.attachments?.some(({ type }) => type === 'image') && !chosen.model.images)
    throw noImages(chosen.model.name)
  options.onModel(chosen.model)
  const system = setup.systemFor(chosen.model.contextTokens)
  const composed = await promptOf(execution, setup, chosen, signal)
  // After this point, changes are permanent.
  if (release.aborted) throw stopping()
  const kept = fork ? await copyRun(execution, fork, setup, composed) : []
  const started: StartedRun = {
    run: id,
    folder: workspace.folder,
    model: chosen.reference,
    why: chosen.why,
    warnings: [...setup.warnings, ...system.notes, ...(composed?.notes ?? []), ...kept],
  }
  let changes: readonly string[] = []
  // A resumed run may be refused after its first events, so they are held back until it has
  // started.
  let held: RunEvent[] | undefined = []
  const begin = (): void => {
    if (!held) return
    onStart(started)
    held.forEach(onEvent)
    held = undefined
  }
  try {
    const outcome = await drive({
      ...runOptions(execution, setup, composed, options),
      model: chosen.model,
      system: system.text,
      ...(chosen.protocol && { protocol: chosen.protocol }),
      ...(whenChanged
        ? { whenChanged }
        : {
            confirm: async (found) => {
              changes = found
              return request.acceptChanges === true
            },
          }),
      onEvent(event) {
        if (!held || isUnderWay(event)) begin()
        if (held) held.push(event)
        else onEvent(event)
      },
    })
    // A copy that exists can be continued later.
    if (fork && outcome.status !== 'ended') begin()
    if (held) throw neverBegan(outcome)
  } catch (error) {
    throw held && error instanceof JournalError ? asRefusal(error, changes) : error
  }
}

/**
 * True if this event shows that a run has really started. A recorded end counts too: the run may
 * have needed nothing more.
 */
function isUnderWay({ type, transient }: RunEvent): boolean {
  return !transient || (type !== 'run-start' && type !== 'warning' && type !== 'run-end')
}

/** The prompt with its attachments. Which files it may attach depends on more than the settings. */
async function promptOf(
  { id: run, request, before }: RunExecution,
  setup: RunSetup,
  chosen: ChosenModel,
  signal: AbortSignal,
): Promise<ComposedPrompt | undefined> {
  const { prompt, attachments = [] } = request
  if (prompt === undefined) return undefined
  const runRules = runRulesFor(before?.permissions?.given, request.permissions)
  const permissions = withRunRules(setup.permissions, runRules, setup.fileSystem)
  return composePrompt(prompt, attachments, { ...setup, permissions }, { run, chosen, signal })
}

function runOptions(
  { id, workspace, request, owner, before, log, fork }: RunExecution,
  { tools, fileSystem, permissions, journal, untrusted, limits, temperature }: RunSetup,
  composed: ComposedPrompt | undefined,
  { signal, release, onWait, version }: ExecutionOptions,
): Omit<DriveOptions, 'model'> {
  return {
    id,
    tools,
    fileSystem,
    permissions,
    journal,
    signal,
    release,
    onWait,
    version,
    untrusted: [...untrusted, ...(composed?.untrusted ?? [])],
    attended: true,
    remember: async (allowed, scope) => void (await rememberAllowed(workspace, allowed, scope)),
    limits: { ...limits, ...before?.limits, ...request.limits },
    temperature,
    prompt: composed?.prompt,
    owner,
    ...(log && { log, resume: true }),
    given: request.permissions,
    fork: fork ? { run: fork.source.run, turn: fork.turn } : undefined,
  }
}

/** Copies a run, and restores the files if requested. Returns notes about them. */
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
    owner,
  })
  if (!restores) return []
  let held: RunLog | undefined
  try {
    // Keeps other processes from executing the source.
    held = await journal.open(source.run)
    const { files, keptChangesOf } = await restoreFiles(setup, fork)
    return [
      ...files.flatMap(({ path, status, why }) =>
        status === 'refused' ? [`${path} was not restored: ${why}`] : [],
      ),
      ...(keptChangesOf
        ? [`the changes of ${keptChangesOf.run} before its turn ${keptChangesOf.turn} were kept`]
        : []),
    ]
  } catch (error) {
    await journal.remove(id)
    throw error
  } finally {
    await held?.close()
  }
}

/** Throws if a rule is invalid. */
function checkRules({ permissions: given }: RunRequest, { permissions }: RunSetup): void {
  try {
    checkRunRules(permissions, given)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new HttpError('unprocessable', error.message, {
      action: 'Fix the rule. Nothing was started.',
    })
  }
}

/** The error for an image sent to a model without image support. */
export function noImages(model: string): HttpError {
  return new HttpError('unprocessable', `${model} does not accept images.`, {
    action: 'Remove the image, or use a model that accepts images. Nothing was sent.',
  })
}

function neverBegan(outcome: DriveOutcome): HttpError {
  if (outcome.status !== 'ended' || outcome.reason === 'cancelled') return stopping()
  return new HttpError('run_ended', outcome.error ?? `The run ended: ${outcome.reason}.`, {
    action: 'Send a prompt to continue it.',
  })
}

function asRefusal({ problem, message }: JournalError, changes: readonly string[]): HttpError {
  if (problem === 'changed')
    return new HttpError('run_changed', message, {
      action: 'To continue it anyway, send acceptChanges: true.',
      members: { changes },
    })
  return new HttpError('storage_failed', message, {
    action: 'Run toolglot doctor to find the problem.',
  })
}
