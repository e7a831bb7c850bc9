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
  /** How a run that is resumed or forked was set up before. */
  readonly before?:
    | Pick<RunFacts, 'modelReference' | 'modelNamedBy' | 'limits' | 'permissions'>
    | undefined
  /** The run that is resumed, open since before anything else was: nobody changes or deletes it meanwhile. */
  readonly log?: RunLog
  /** Nobody asked for it now: what happens if the setup has changed. */
  readonly whenChanged?: 'leave' | 'ask' | 'continue' | undefined
  /** The run that it begins as a copy of. */
  readonly fork?: { readonly source: RunSummary; readonly turn: number; readonly restores: boolean }
}

/** The setup of a run's execution. */
export interface ExecutionOptions {
  readonly journal: Journal
  readonly opened: OpenTools
  /** The behavior while a person is asked. */
  readonly onWait: 'wait' | 'suspend'
  /** The version of the code and tools here. */
  readonly version?: string | undefined
  /** Finishes what is in progress, and leaves the rest for later. */
  readonly release: AbortSignal
  /** Stops at once. */
  readonly signal: AbortSignal
  /** Called with the model before the run begins. */
  readonly onModel: (model: Model) => void
  /** Called once, when the run is under way. */
  readonly onStart: (started: StartedRun) => void
  readonly onEvent: (event: RunEvent) => void
}

/**
 * Executes a run until it ends, is suspended or released. Throws an HttpError if it cannot begin, and a JournalError if it
 * cannot be recorded any more.
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
  // From here on, something stays.
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
  // A run that is resumed may be refused after its first events: they are held back until it is under way.
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
    // A copy that is there goes on later.
    if (fork && outcome.status !== 'ended') begin()
    if (held) throw neverBegan(outcome)
  } catch (error) {
    throw held && error instanceof JournalError ? asRefusal(error, changes) : error
  }
}

/** Whether a run that emits this has really begun. An end that is recorded is one: all that it needed may have been recorded before. */
function isUnderWay({ type, transient }: RunEvent): boolean {
  return !transient || (type !== 'run-start' && type !== 'warning' && type !== 'run-end')
}

/** The prompt with its attachments. Settings alone do not decide which files it may attach. */
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
    owner,
  })
  if (!restores) return []
  let held: RunLog | undefined
  try {
    // Nobody executes the source meanwhile.
    held = await journal.open(source.run)
    const { files, keptChangesOf } = await restoreFiles(setup, fork)
    return [
      ...files.flatMap(({ path, status, why }) =>
        status === 'refused' ? [`${path} was not restored: ${why}`] : [],
      ),
      ...(keptChangesOf
        ? [`what ${keptChangesOf.run} changed before its turn ${keptChangesOf.turn} stays as it is`]
        : []),
    ]
  } catch (error) {
    await journal.remove(id)
    throw error
  } finally {
    await held?.close()
  }
}

/** Throws for an invalid rule. */
function checkRules({ permissions: given }: RunRequest, { permissions }: RunSetup): void {
  try {
    checkRunRules(permissions, given)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new HttpError('unprocessable', error.message, {
      action: 'Correct it. Nothing was started.',
    })
  }
}

/** The refusal of an image for a model that takes none. */
export function noImages(model: string): HttpError {
  return new HttpError('unprocessable', `${model} takes no images.`, {
    action: 'Remove the image, or use a model that takes images. Nothing was sent.',
  })
}

function neverBegan(outcome: DriveOutcome): HttpError {
  if (outcome.status !== 'ended' || outcome.reason === 'cancelled') return stopping()
  return new HttpError('run_ended', outcome.error ?? `The run ended: ${outcome.reason}.`, {
    action: 'Send a prompt to continue it with.',
  })
}

function asRefusal({ problem, message }: JournalError, changes: readonly string[]): HttpError {
  if (problem === 'changed')
    return new HttpError('run_changed', message, {
      action: 'To continue it all the same, send acceptChanges: true.',
      members: { changes },
    })
  return new HttpError('storage_failed', message, { action: 'toolglot doctor says what is wrong.' })
}
