// Folder: Runs that the server executes.
import { setMaxListeners } from 'node:events'
import { type Model, replay, type RunEvent } from '@toolglot/agent'
import { runRulesFor, readHistory, timeLimit, unlessAborted } from '@toolglot/agent/internal'
import {
  type Journal,
  JournalError,
  type JournalRecord,
  type RunLog,
  type RunSummary,
} from '@toolglot/agent/journal'
import type { PermissionMode } from '@toolglot/permissions'
import { type OpenTools, openTools } from '@toolglot/workspace'
import { newRun, toolsVersion } from '@toolglot/workspace/internal'
import type { Principal } from '../route.ts'
import { HttpError } from '../security/http-error.ts'
import { driveRun, noImages, type RunExecution } from './drive-run.ts'
import { createFeed, createFeeds } from './feed.ts'
import type { Folders } from './folders.ts'
import { type IdentifiedEvent, runEvents, type RunEventsOptions } from './run-events.ts'
import type { ForkRequest, ResumeRequest, RunRequest, StartedRun } from './run-request.ts'
import { stopping } from './stopping.ts'

/** The runs that this server executes, and those in the journal. */
export interface Runs {
  start(
    request: RunRequest & { readonly folder?: string | undefined },
    owner: RunOwner,
  ): Promise<StartedRun>
  resume(run: string, request: ResumeRequest): Promise<StartedRun>
  fork(run: string, request: ForkRequest, owner: RunOwner): Promise<StartedRun>
  /** Finds a run in the journal. Throws a JournalError if it does not exist. */
  find(run: string): Promise<RunSummary>
  /** True if this server is executing a run. */
  isActive(run: string): boolean
  /** Throws an HttpError if this server executes a run whose model doesn't accept images. */
  refuseImages(run: string): void
  /**
   * Runs `work` while no process can execute, change or delete the run. Throws if a process is
   * executing it.
   */
  holding<Result>(run: string, work: (log: RunLog) => Promise<Result>): Promise<Result>
  /** The events of a run, whichever process executes it. */
  events(
    run: string,
    options: Pick<RunEventsOptions, 'after' | 'keepOpen' | 'stop'>,
  ): AsyncGenerator<IdentifiedEvent, void>
  /**
   * Calls the listener when there is a new event or a new execution. Returns a function that
   * unsubscribes.
   */
  onEvent(run: string, listener: () => void): () => void
  /** The approximate number of characters emitted by this server's current execution of a run. */
  emitted(run: string): number
  /** Closes the tools of a deleted run, and ends the streams that follow it. */
  forget(run: string): Promise<void>
  /** Continues the runs that this server was executing within the last day when it stopped. */
  resumeInterrupted(): Promise<void>
  /** Continues a run that was started over HTTP, if no process is executing it. */
  continueInterrupted(run: string): Promise<void>
  /** Continues a run that this process has claimed, or releases it. */
  continueClaimed(log: RunLog): Promise<void>
  /** The number of runs that this server is executing. */
  count(): number
  /** Releases all runs. Waits for current work for a few seconds, or until the signal aborts. */
  release(signal?: AbortSignal): Promise<void>
  /** Stops all remaining work. */
  close(): Promise<void>
}

/** The dependencies of runs. */
export interface RunsOptions {
  readonly journal: Journal
  readonly folders: Folders
  /** The name of this machine, if other machines share the journal: tools belong to one machine. */
  readonly machine?: string | undefined
  /** The version of the code and tools of this process, if other machines share the journal. */
  readonly version?: string | undefined
  /** The treatment of automatically continued runs with a changed setup. Default: leave them. */
  readonly whenChanged?: 'leave' | 'ask' | 'continue' | undefined
  /** The behavior of runs while a request is pending. Default: they wait in this process. */
  readonly onWait?: 'wait' | 'suspend'
  /** The default model and protocol of new runs. */
  readonly defaults?: Pick<RunRequest, 'model' | 'protocol'>
  /** Called with every event of a run that this server executes. */
  readonly onEvent: (event: RunEvent) => void
  readonly onError: (error: unknown) => void
}

/**
 * The owner of a run: the name of its token, and the way it was presented (by a program or a
 * person's browser).
 */
export type RunOwner = Pick<Principal, 'name' | 'by'>

/**
 * The prefix for the owner of runs that programs started over HTTP. The name of the token follows
 * it.
 */
const OF_PROGRAM = 'http:'
/** The prefix for the owner of runs that users started in the page. */
const OF_PERSON = 'page:'

function ownerOf({ name, by }: RunOwner): string {
  return (by === 'cookie' ? OF_PERSON : OF_PROGRAM) + name
}

/** Creates the runs of a server. */
export function createRuns({
  journal,
  folders,
  machine,
  version,
  whenChanged = 'leave',
  onWait = 'wait',
  defaults = {},
  onEvent,
  onError,
}: RunsOptions): Runs {
  /** The runs that this server executes, with promises for their ends. */
  const active = new Map<string, Promise<void>>()
  /** The models of these runs. */
  const models = new Map<string, Model>()
  const feeds = createFeeds()
  const tools = folders.createPool<OpenTools>(MAX_IDLE)
  const released = new AbortController()
  const abandoned = new AbortController()
  // Each run adds a listener.
  setMaxListeners(0, released.signal, abandoned.signal)

  /**
   * True if a call has started without a recorded outcome. Only calls that may change something
   * record their start.
   */
  async function hasUnknownOutcome(id: string): Promise<boolean> {
    const open = new Set<string>()
    for (const event of replay(id, await journal.read(id))) {
      if (event.type === 'tool-start') open.add(event.call)
      else if (event.type === 'tool-end') open.delete(event.call)
    }
    return open.size > 0
  }

  /**
   * True if continuing needs a person's consent: the interrupted call may have changed something
   * that the next call depends on.
   */
  async function asksFirst(id: string, owner: string | undefined): Promise<boolean> {
    return owner?.startsWith(OF_PERSON) === true && (await hasUnknownOutcome(id))
  }

  async function find(id: string): Promise<RunSummary> {
    const [summary] = await journal.runs({ run: id })
    if (summary) return summary
    throw missing()
  }

  /**
   * Opens a run, so that no other process can execute, change or delete it. Throws if it is being
   * executed.
   */
  async function hold(id: string): Promise<RunLog> {
    // The end of a run is recorded shortly before its resources are closed.
    if (active.has(id) && (await find(id)).state === 'finished') await active.get(id)
    if (active.has(id)) throw busy()
    const log = await journal.open(id)
    if (log.before.length > 0) return log
    // The run was just deleted, and opening it has created a new one.
    await log.close()
    await journal.remove(id)
    throw missing()
  }

  async function holding<Result>(
    id: string,
    work: (log: RunLog) => Promise<Result>,
  ): Promise<Result> {
    const log = await hold(id)
    try {
      return await work(log)
    } finally {
      await log.close()
    }
  }

  /** Executes a run in the background. Resolves when it has started. */
  async function launch(execution: RunExecution): Promise<StartedRun> {
    const { id, workspace } = execution
    if (released.signal.aborted) throw stopping()
    if (active.has(id)) throw busy()
    const feed = createFeed()
    let onStart: (started: StartedRun) => void = () => {}
    const underWay = new Promise<StartedRun>((resolve) => (onStart = resolve))
    const { signal } = abandoned
    const use = (opened: OpenTools): Promise<void> =>
      driveRun(execution, {
        journal,
        opened,
        onWait,
        version,
        release: released.signal,
        signal,
        onModel: (model) => models.set(id, model),
        onStart,
        onEvent(event) {
          feed.add(event)
          onEvent(event)
        },
      })
    const execute = async (): Promise<void> => {
      const place = { key: id, folder: workspace.folder, version: toolsVersion(workspace) }
      try {
        await tools.use(place, () => openTools(workspace, { signal, machine }), use)
      } finally {
        await execution.log?.close()
        active.delete(id)
        models.delete(id)
        feeds.end(id)
      }
    }
    const work = execute()
    active.set(
      id,
      work.catch(() => {}),
    )
    feeds.set(id, feed)
    try {
      // Throws if the run never starts.
      const [started] = await Promise.race([
        underWay.then((value) => [value]),
        work.then((): StartedRun[] => []),
      ])
      // From here on, the run does not depend on this request. When the server stops, the journal
      // is closed.
      work.catch((error: unknown) => {
        if (!abandoned.signal.aborted && !released.signal.aborted) onError(error)
      })
      return started ?? (await underWay)
    } catch (error) {
      // A new run that doesn't exist doesn't need its tools.
      if (!execution.log) await tools.drop(id)
      throw error
    }
  }

  /** Opens the folder of a run with its current settings. */
  async function reopen(
    { folder }: RunSummary,
    records: readonly JournalRecord[],
    { permissions }: RunRequest,
  ): Promise<Pick<RunExecution, 'workspace' | 'before'> & { readonly turns: number }> {
    if (folder === undefined)
      throw new HttpError('wrong_folder', 'The folder of this run is unknown.', {
        action: 'Start a new one.',
      })
    const { setup, turns } = readHistory(records)
    const runRules = runRulesFor(setup?.permissions?.given, permissions)
    return { workspace: await folders.open(folder, modeOf(runRules)), before: setup, turns }
  }

  const runs: Runs = {
    async start({ folder, ...request }, owner) {
      const workspace = await folders.open(folder, modeOf(request.permissions))
      const { model = defaults.model, protocol } = request
      // A protocol only applies to the model it was chosen for.
      const named = request.model === undefined ? (protocol ?? defaults.protocol) : protocol
      return launch({
        id: newRun(),
        workspace,
        request: { ...request, model, protocol: named },
        owner: ownerOf(owner),
      })
    },
    async resume(id, request) {
      const summary = await find(id)
      refuseImported(summary)
      refuseLoneAttachments(request)
      const hasAnswer = summary.state === 'finished' && summary.reason === 'answer'
      if (hasAnswer && request.prompt === undefined)
        throw new HttpError('run_ended', 'The run has already ended with an answer.', {
          action: 'Send a prompt to continue it.',
        })
      const log = await hold(id)
      try {
        const { workspace, before } = await reopen(summary, log.before, request)
        return await launch({ id, workspace, request, log, before })
      } catch (error) {
        await log.close()
        throw error
      }
    },
    async fork(id, request, owner) {
      const source = await find(id)
      refuseImported(source)
      refuseLoneAttachments(request)
      const { workspace, before, turns } = await reopen(source, await journal.read(id), request)
      const { turn = turns, restoreFiles: restores = false } = request
      if (turn > turns)
        throw new HttpError(
          'unprocessable',
          `The run has no turn ${turn}. Choose one from 0 to ${turns}.`,
          {
            action: 'GET /api/runs/:run shows the number of turns. Nothing was changed.',
          },
        )
      // Checked before any data is copied. The run is held while files are restored.
      if (restores) await holding(id, async () => {})
      return launch({
        id: newRun(),
        workspace,
        request,
        owner: ownerOf(owner),
        fork: { source, turn, restores },
        before,
      })
    },
    find,
    isActive: (id) => active.has(id),
    refuseImages(id) {
      const model = models.get(id)
      if (model && !model.images) throw noImages(model.name)
    },
    holding,
    events: (id, options) =>
      runEvents(journal, id, {
        ...options,
        feed: () => feeds.get(id),
        onFeed: (listener) => feeds.watch(id, listener),
      }),
    onEvent: (id, listener) => feeds.onEvent(id, listener),
    emitted: (id) => feeds.get(id)?.emitted ?? 0,
    forget(id) {
      feeds.remove(id)
      return tools.drop(id)
    },
    async resumeInterrupted() {
      const recent = Date.now() - RECENT
      const latest = await journal.runs({ limit: MAX_RESUMED })
      const ids = latest.filter((each) => isInterrupted(each) && each.last >= recent).values()
      const continueNext = async (): Promise<void> => {
        for (const { run: id, owner } of ids) {
          if (!(await asksFirst(id, owner).catch(onError)))
            await runs.continueInterrupted(id).catch(onError)
        }
      }
      // Continues four runs at a time, since some wait for slow MCP servers.
      await Promise.all([continueNext(), continueNext(), continueNext(), continueNext()])
    },
    async continueInterrupted(id) {
      if (active.has(id) || released.signal.aborted) return
      try {
        const [summary] = await journal.runs({ run: id })
        if (summary && isInterrupted(summary)) await runs.resume(id, {})
      } catch (error) {
        // Another process continues it, or it should no longer be continued.
        const isBusy = error instanceof JournalError && error.problem === 'busy'
        const isOurs = error instanceof HttpError && error.code === 'run_busy'
        if (!isBusy && !isOurs && !released.signal.aborted) throw error
      }
    },
    async continueClaimed(log) {
      const { run: id } = log
      try {
        const summary = await find(id)
        if (released.signal.aborted || !mayContinue(summary)) return await log.close()
        if (await asksFirst(id, summary.owner)) return await log.close()
        const { workspace, before } = await reopen(summary, log.before, {})
        await launch({ id, workspace, request: {}, log, before, whenChanged })
      } catch (error) {
        await log.close()
        if (!released.signal.aborted) throw error
      }
    },
    count: () => active.size,
    async release(signal) {
      released.abort()
      const limit = timeLimit(RELEASE_TIME, signal)
      await unlessAborted(limit.signal, Promise.all(active.values())).catch(() => {})
      limit.end()
    },
    async close() {
      released.abort()
      abandoned.abort()
      await Promise.all(active.values())
    },
  }
  return runs
}

/** The maximum number of idle runs whose tools stay open. */
const MAX_IDLE = 8
/** The maximum time since the interruption for a run to continue automatically, in milliseconds. */
const RECENT = 24 * 60 * 60_000
/** The maximum number of recent runs to check for interrupted ones. */
const MAX_RESUMED = 1000
/** The time limit for replies and tools when the server stops, in milliseconds. */
const RELEASE_TIME = 3000

/** True if a run was started over HTTP, has not ended, and is not known to be active. */
function isInterrupted(summary: RunSummary): boolean {
  const isOpen = summary.state === 'interrupted' || summary.state === 'waiting'
  return isOpen && mayContinue(summary)
}

/** True if a server may continue a run automatically: one that was started over HTTP. */
function mayContinue({ owner, imported }: RunSummary): boolean {
  const isOurs = owner?.startsWith(OF_PROGRAM) === true || owner?.startsWith(OF_PERSON) === true
  return isOurs && !imported
}

/** A mode is treated like one from the command line: managed settings may forbid looser modes. */
function modeOf({ mode }: Pick<NonNullable<RunRequest['permissions']>, 'mode'> = {}): {
  readonly mode?: PermissionMode
} {
  return mode ? { mode } : {}
}

function missing(): JournalError {
  return new JournalError('missing', 'No run has this id.')
}

function busy(): HttpError {
  return new HttpError('run_busy', 'This run is active.', {
    action: 'Send it a message with POST /api/runs/:run/messages, or stop it first.',
  })
}

function refuseImported({ imported }: Pick<RunSummary, 'imported'>): void {
  if (imported) throw new JournalError('imported', 'The run was recorded elsewhere.')
}

function refuseLoneAttachments({ prompt, attachments = [] }: RunRequest): void {
  if (prompt !== undefined || attachments.length === 0) return
  throw new HttpError('unprocessable', 'Attachments require a prompt.', {
    action: 'Send a prompt with the attachments. Nothing was changed.',
  })
}
