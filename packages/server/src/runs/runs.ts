import { setMaxListeners } from 'node:events'
import { run, type Limits, type RunEvent, type RunFacts, type RunOptions } from '@toolglot/agent'
import { readHistory, timeLimit, unlessAborted } from '@toolglot/agent/internal'
import { type Journal, JournalError, type RunSummary } from '@toolglot/agent/journal'
import {
  chooseWorkspaceModel,
  prepareRun,
  rememberRules,
  restoreFiles,
  type RunSetup,
  type Workspace,
} from '@toolglot/workspace'
import { comesWithFolder, newRun } from '@toolglot/workspace/internal'
import { patientFetch } from '../node/fetch.ts'
import { HttpError } from '../security/http-error.ts'
import { type Attachment, composePrompt } from './compose-prompt.ts'
import { createFeed, type Feed } from './feed.ts'
import { type FolderOptions, type Folders, versionOf } from './folders.ts'
import { rulesToKeep } from './kept-rules.ts'
import {
  type FeedListener,
  type IdentifiedEvent,
  runEvents,
  type RunEventsOptions,
} from './run-events.ts'
import { stopping } from './stopping.ts'

/** What every way to start a run has in common. */
export interface RunRequest {
  readonly prompt?: string | undefined
  readonly attachments?: readonly Attachment[] | undefined
  /** The model to use. Default: that of the run before, or the one that the folder's settings name, or one that is found. */
  readonly model?: string | undefined
  /** The id of a protocol, `native` or `auto`. */
  readonly protocol?: string | undefined
  /** Replaces the default system prompt. */
  readonly system?: string | undefined
  readonly limits?: Partial<Limits> | undefined
  /** Rules and a mode for this run, which count like those of the command line. */
  readonly permissions?: FolderOptions | undefined
}

/** A run to resume. */
export interface ResumeRequest extends RunRequest {
  /** Continue although the model, the protocol or the tools have changed. */
  readonly acceptChanges?: boolean | undefined
}

/** A run to copy. */
export interface ForkRequest extends RunRequest {
  /** The first turn that is not copied. Default: all are copied. */
  readonly turn?: number | undefined
  /** Undo what was changed in the turns that are not copied. */
  readonly restoreFiles?: boolean | undefined
}

/** A run that was started, resumed or forked. */
export interface StartedRun {
  readonly run: string
  readonly folder: string
  readonly model: string
  /** Why this model was chosen. */
  readonly why: string
  /** What to know: problems with settings, files that could not be attached. */
  readonly warnings: readonly string[]
}

/** The runs that this server executes, and those in the journal. */
export interface Runs {
  start(
    request: RunRequest & { readonly folder?: string | undefined },
    owner: string,
  ): Promise<StartedRun>
  resume(run: string, request: ResumeRequest): Promise<StartedRun>
  fork(run: string, request: ForkRequest, owner: string): Promise<StartedRun>
  /** A run in the journal. Throws an HttpError if there is none. */
  find(run: string): Promise<RunSummary>
  /** Whether this server executes a run at the moment. */
  isActive(run: string): boolean
  /** Throws if this server or another process executes a run. */
  refuseBusy(run: string): Promise<void>
  /** The events of a run, whichever process executes it. */
  events(
    run: string,
    options: Pick<RunEventsOptions, 'after' | 'keepOpen' | 'stop'>,
  ): AsyncGenerator<IdentifiedEvent, void>
  /** Calls back when there is another event, or another execution. Returns how to stop that. */
  onEvent(run: string, listener: () => void): () => void
  /** About how many characters this server's current execution of a run has emitted. */
  emitted(run: string): number
  /** Closes the tools of a run that was deleted, and ends what follows it. */
  forget(run: string): Promise<void>
  /** Continues the runs that a server was executing when it stopped, within the last day. */
  resumeInterrupted(): Promise<void>
  /** How many runs this server executes at the moment. */
  count(): number
  /** Releases every run, and waits a few seconds for what is in progress, or until the signal aborts. */
  release(signal?: AbortSignal): Promise<void>
  /** Stops what is still in progress, and closes all tools. */
  close(): Promise<void>
}

/** What runs depend on. */
export interface RunsOptions {
  readonly journal: Journal
  readonly folders: Folders
  /** The model and the protocol of new runs that name none. */
  readonly defaults?: Pick<RunRequest, 'model' | 'protocol'>
  /** Called with every event of a run that this server executes. */
  readonly onEvent: (event: RunEvent) => void
  readonly onError: (error: unknown) => void
}

/** A run that this server executes. */
interface ActiveRun {
  readonly feed: Feed
  readonly done: Promise<void>
}

/** What one execution of a run is made of, besides its setup. */
interface Execution {
  readonly id: string
  readonly workspace: Workspace
  readonly request: ResumeRequest
  readonly owner?: string
  readonly isResumed?: boolean
  readonly fork?: { readonly source: RunSummary; readonly turn: number; readonly restores: boolean }
  /** How the run was set up before. */
  readonly before?: Pick<RunFacts, 'modelReference' | 'limits'> | undefined
}

/** The owner of runs that came over HTTP begins with this; the name of the token follows. */
const OWNER = 'http:'

/** Creates the runs of a server. */
export function createRuns({
  journal,
  folders,
  defaults = {},
  onEvent,
  onError,
}: RunsOptions): Runs {
  const active = new Map<string, ActiveRun>()
  const feeds = new Map<string, Set<FeedListener>>()
  const setups = folders.createPool<RunSetup>(MAX_IDLE)
  const released = new AbortController()
  const abandoned = new AbortController()
  // As many as there are runs.
  setMaxListeners(0, released.signal, abandoned.signal)

  async function find(id: string): Promise<RunSummary> {
    const [summary] = await journal.runs({ run: id })
    if (summary) return summary
    throw new JournalError('missing', 'There is no run with this id.')
  }

  async function refuseBusy(id: string): Promise<void> {
    if (active.has(id)) throw busy()
    // Throws if another process executes it.
    await (await journal.open(id)).close()
  }

  function feedChanged(id: string): void {
    for (const listener of feeds.get(id) ?? []) listener.changed()
  }

  /** Executes a run in the background. Resolves when it is under way. */
  async function launch(execution: Execution): Promise<StartedRun> {
    const { id, workspace, request } = execution
    if (released.signal.aborted) throw stopping()
    if (active.has(id)) throw busy()
    const feed = createFeed()
    let started: (value: StartedRun) => void = () => {}
    const underWay = new Promise<StartedRun>((resolve) => (started = resolve))
    const version = JSON.stringify([versionOf(workspace), request.system])
    const open = (): Promise<RunSetup> =>
      prepareRun(workspace, { system: request.system, journal, signal: abandoned.signal })
    const work = setups
      .use({ key: id, folder: workspace.folder, version }, open, (setup) =>
        drive(execution, setup, feed, started),
      )
      .finally(() => {
        active.delete(id)
        feedChanged(id)
      })
    active.set(id, { feed, done: work.catch(() => {}) })
    feedChanged(id)
    try {
      const [report] = await Promise.race([
        underWay.then((value) => [value]),
        // It throws if it never began.
        work.then(() => []),
      ])
      // From now on, it goes on without this request.
      work.catch(onError)
      return report ?? (await underWay)
    } catch (error) {
      await setups.drop(id)
      throw error
    }
  }

  async function drive(
    { id, workspace, request, owner, isResumed, fork, before }: Execution,
    setup: RunSetup,
    feed: Feed,
    started: (value: StartedRun) => void,
  ): Promise<void> {
    const { tools, fileSystem, permissions, system, untrusted, warnings } = setup
    const { signal } = abandoned
    const chosen = await chooseWorkspaceModel(workspace, {
      model: request.model ?? modelOfBefore(workspace, before?.modelReference),
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
    if (fork?.restores) await restoreFiles(setup, fork)
    let changes: readonly string[] | undefined
    const options: RunOptions = {
      id,
      model: chosen.model,
      tools,
      fileSystem,
      permissions,
      journal,
      system,
      signal,
      release: released.signal,
      untrusted: [...untrusted, ...(composed?.untrusted ?? [])],
      attended: true,
      remember: async (rules, scope) => void (await rememberRules(workspace, rules, scope)),
      confirm: async (found) => {
        if (!request.acceptChanges) changes = found
        return request.acceptChanges === true
      },
      ...(chosen.protocol && { protocol: chosen.protocol }),
      limits: { ...before?.limits, ...request.limits },
      ...(composed && { prompt: composed.prompt }),
      ...(owner !== undefined && { owner }),
      ...(isResumed && { resume: true }),
      ...(fork && { fork: { run: fork.source.run, turn: fork.turn } }),
    }
    const report: StartedRun = {
      run: id,
      folder: workspace.folder,
      model: chosen.reference,
      why: chosen.why,
      warnings: [...warnings, ...(composed?.notes ?? [])],
    }
    let isUnderWay = false
    for await (const event of run(options)) {
      // An end that is recorded is one: all that a run needed may have been recorded before.
      if (!isUnderWay && event.type === 'run-end' && event.transient)
        throw neverBegan(event, changes)
      // A run that is resumed may be refused after these.
      if (!event.transient || (event.type !== 'run-start' && event.type !== 'warning')) {
        isUnderWay = true
        started(report)
      }
      feed.add(event)
      onEvent(event)
    }
  }

  /** Opens the folder of a run with its settings as they are now, and everything that the run was denied at its start. */
  async function reopen(
    { run: id, folder }: RunSummary,
    given: FolderOptions = {},
  ): Promise<{ workspace: Workspace; before: Execution['before']; turns: number }> {
    if (folder === undefined)
      throw new HttpError('wrong_folder', 'It is not known in which folder this run was.', {
        action: 'Start a new one.',
      })
    const { setup, turns } = readHistory(await journal.read(id))
    const now = await folders.open(folder)
    const workspace = await folders.open(folder, rulesToKeep(setup?.permissions, given, now))
    return { workspace, before: setup, turns }
  }

  const runs: Runs = {
    async start({ folder, ...request }, owner) {
      const workspace = await folders.open(folder, request.permissions)
      const { model = defaults.model, protocol } = request
      // A protocol is for a model.
      const named = request.model === undefined ? (protocol ?? defaults.protocol) : protocol
      return launch({
        id: newRun(),
        workspace,
        request: { ...request, model, protocol: named },
        owner: OWNER + owner,
      })
    },
    async resume(id, request) {
      const summary = await find(id)
      refuseImported(summary)
      refuseLoneAttachments(request)
      await refuseBusy(id)
      if (
        summary.state === 'finished' &&
        summary.reason === 'answer' &&
        request.prompt === undefined
      )
        throw new HttpError('run_ended', 'The run has its answer.', {
          action: 'Send a prompt to continue it with.',
        })
      const { workspace, before } = await reopen(summary, request.permissions)
      return launch({ id, workspace, request, isResumed: true, before })
    },
    async fork(id, request, owner) {
      const source = await find(id)
      refuseImported(source)
      refuseLoneAttachments(request)
      const { workspace, before, turns } = await reopen(source, request.permissions)
      const { turn = turns, restoreFiles: restores = false } = request
      // Before any file is restored.
      if (turn > turns)
        throw new HttpError('unprocessable', `Expected a turn from 0 to ${turns}, got ${turn}.`, {
          action: 'GET /api/runs/:run has the number of turns. Nothing was changed.',
        })
      if (restores) await refuseBusy(id)
      return launch({
        id: newRun(),
        workspace,
        request,
        owner: OWNER + owner,
        fork: { source, turn, restores },
        before,
      })
    },
    find,
    isActive: (id) => active.has(id),
    refuseBusy,
    events: (id, options) =>
      runEvents(journal, id, {
        ...options,
        feed: () => active.get(id)?.feed,
        onFeed: (listener) => onFeed(id, listener),
      }),
    onEvent(id, listener) {
      let unwatch = active.get(id)?.feed.onAdd(listener)
      const forget = onFeed(id, {
        changed() {
          unwatch?.()
          unwatch = active.get(id)?.feed.onAdd(listener)
          listener()
        },
        deleted() {},
      })
      return () => {
        unwatch?.()
        forget()
      }
    },
    emitted: (id) => active.get(id)?.feed.emitted ?? 0,
    forget(id) {
      for (const listener of feeds.get(id) ?? []) listener.deleted()
      return setups.drop(id)
    },
    async resumeInterrupted() {
      const recent = Date.now() - RECENT
      const all = await journal.runs({ limit: Number.MAX_SAFE_INTEGER })
      const own = all.filter(
        ({ state, owner, last, imported }) =>
          (state === 'interrupted' || state === 'waiting') &&
          owner?.startsWith(OWNER) &&
          last >= recent &&
          !imported,
      )
      const ids = own.map(({ run: id }) => id).values()
      const resumeNext = async (): Promise<void> => {
        for (const id of ids)
          await runs.resume(id, {}).catch((error: unknown) => {
            // Somebody else continues it.
            if (!(error instanceof JournalError && error.problem === 'busy')) onError(error)
          })
      }
      // A few at a time: some wait for slow MCP servers.
      await Promise.all([resumeNext(), resumeNext(), resumeNext(), resumeNext()])
    },
    count: () => active.size,
    async release(signal) {
      released.abort()
      const ended = Promise.all([...active.values()].map(({ done }) => done))
      const limit = timeLimit(RELEASE_TIME, signal)
      await unlessAborted(limit.signal, ended).catch(() => {})
      limit.end()
    },
    async close() {
      released.abort()
      abandoned.abort()
      await Promise.all([...active.values()].map(({ done }) => done))
      await setups.close()
    },
  }
  return runs

  function onFeed(id: string, listener: FeedListener): () => void {
    const listeners = feeds.get(id) ?? new Set<FeedListener>()
    feeds.set(id, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && feeds.get(id) === listeners) feeds.delete(id)
    }
  }
}

/** How many runs keep their tools open for a while after them. */
const MAX_IDLE = 8
/** How long ago a run may have been interrupted to be continued by itself, in milliseconds. */
const RECENT = 24 * 60 * 60_000
/** How long a reply or a tool may take to end when the server stops, in milliseconds. */
const RELEASE_TIME = 3000

function busy(): HttpError {
  return new HttpError('run_busy', 'This run is being executed.', {
    action: 'Send it a message with POST /api/runs/:run/messages, or stop it first.',
  })
}

function refuseImported({ imported }: RunSummary): void {
  if (imported) throw new JournalError('imported', 'The run was recorded elsewhere.')
}

function refuseLoneAttachments({ prompt, attachments = [] }: RunRequest): void {
  if (prompt !== undefined || attachments.length === 0) return
  throw new HttpError('unprocessable', 'Expected a prompt with the attachments, got none.', {
    action: 'Send a prompt that says what they are for. Nothing was changed.',
  })
}

/**
 * The model that a run is continued with. One that the folder names is chosen from its settings again: it must not be sent a
 * person's key, as if they had named it.
 */
function modelOfBefore({ files }: Workspace, reference: string | undefined): string | undefined {
  const isFolders = files.some(
    (file) =>
      comesWithFolder(file) &&
      file.values.some(({ key, value }) => key === 'model' && value === reference),
  )
  return isFolders ? undefined : reference
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
