import { randomBytes } from 'node:crypto'
import type { Answers, ApprovalAnswer } from '@toolglot/agent'
import type { PendingRequest } from '@toolglot/agent/journal'
import type { Decision } from '@toolglot/permissions'
import { isServerTool } from '@toolglot/permissions/internal'
import type { OpenTools } from '@toolglot/workspace'
import { HttpError } from '../security/http-error.ts'
import type { Folders } from './folders.ts'
import { type Execution, LiveExecution } from './live-execution.ts'
import { stopping } from './stopping.ts'

/** A call to execute. */
export interface ExecutionRequest {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  readonly folder: string | undefined
  /**
   * Calls with the same id share the working directory, the files that were read, and the stored
   * changes.
   */
  readonly run: string | undefined
  /** Aborts when the client disconnects. Ignored once the execution waits for a person. */
  readonly signal: AbortSignal
}

/**
 * Calls that are executed without a run. Pending requests are kept only in memory, because nothing
 * has run yet.
 */
export interface Executions {
  /** Executes a call. Resolves when it has ended or waits for a person. */
  start(request: ExecutionRequest): Promise<Execution>
  /**
   * Finds an execution by its id. Returns immediately if it has ended; otherwise, when its state
   * changes, after `wait` milliseconds, or when a signal aborts.
   */
  find(id: string, wait: number, signals: readonly AbortSignal[]): Promise<Execution | undefined>
  /** Stops an execution. Returns false if no running one has this id. */
  stop(id: string): boolean
  /** Throws an HttpError while a call with this id or group is unfinished. */
  refuseBusy(id: string): void
  /** The folder and the decision of the pending request with a key. */
  decision(
    id: string,
    key: string,
  ): { readonly folder: string | undefined; readonly decision: Decision } | undefined
  /** The pending requests of executions. */
  waiting(): readonly PendingRequest[]
  /**
   * Answers an execution's pending request. The first answer counts, and only its rules are saved.
   * Returns false if there is no request with this key. Throws without answering if the rules
   * cannot be saved (a UserError) or would apply to a run (an HttpError).
   */
  answer(id: string, key: string, value: ApprovalAnswer | Answers): Promise<boolean>
  close(): Promise<void>
}

/** The dependencies of executions. */
export interface ExecutionsOptions {
  readonly folders: Folders
  /** True if an approver is present. */
  readonly isAttended: () => boolean
  /** Called when the pending requests change. */
  readonly onChange: () => void
  /** Called with failures after a result exists, such as errors while closing the tools. */
  readonly onError: (error: unknown) => void
}

/** Creates the executions of a server. */
export function createExecutions({
  folders,
  isAttended,
  onChange,
  onError,
}: ExecutionsOptions): Executions {
  /** The executions in the order in which they started. */
  const all = new Map<string, LiveExecution>()
  const working = new Set<Promise<void>>()
  let isClosed = false

  async function run(live: LiveExecution, request: ExecutionRequest): Promise<void> {
    const { tool, args, folder } = request
    const workspace = await folders.open(folder)
    const work = async (opened: OpenTools): Promise<void> => {
      refuseDisabled(tool, opened)
      await live.execute(opened, { tool, args, workspace, isAttended: isAttended() })
    }
    // MCP servers start slowly, and don't use the working directory.
    if (isServerTool(tool)) await folders.useTools(workspace, work)
    else await folders.useOwnTools(workspace, request.run, work)
  }

  /** Runs a call to its end. Throws only if there is no result. */
  async function finish(live: LiveExecution, request: ExecutionRequest): Promise<void> {
    try {
      await run(live, request)
    } catch (error) {
      if (!live.result) throw error
      onError(error)
    } finally {
      // After a failure there is no result to request.
      if (!live.result) all.delete(live.id)
      live.wake()
      forgetOldest()
    }
  }

  return {
    async start(request) {
      if (isClosed) throw stopping()
      if ([...all.values()].filter(({ result }) => !result).length >= MAX_LIVE) throw tooMany()
      const { signal, folder } = request
      const id = PREFIX + randomBytes(8).toString('hex')
      const group = request.run === undefined ? id : PREFIX + request.run
      const live = new LiveExecution({ id, group, folder }, onChange)
      all.set(id, live)
      const changed = live.changed(Infinity)
      // Once the execution waits for a person, this request no longer controls it.
      const leave = (): void => {
        if (!live.pending) live.stop()
      }
      signal.addEventListener('abort', leave)
      if (signal.aborted) leave()
      const work = finish(live, request)
      const ended = work.catch(() => {}).finally(() => working.delete(ended))
      working.add(ended)
      try {
        await Promise.race([work, changed])
        // If it failed, its waiters were already woken.
        if (!live.pending && !live.result) await work
        work.catch(onError)
      } finally {
        signal.removeEventListener('abort', leave)
      }
      return live
    },
    async find(id, wait, signals) {
      const live = all.get(id)
      if (live && !live.result && wait > 0) await live.changed(wait, signals)
      return live
    },
    stop(id) {
      const live = all.get(id)
      if (!live || live.result) return false
      live.stop()
      return true
    },
    refuseBusy(id) {
      const isBusy = [...all.values()].some(
        (live) => !live.result && (live.id === id || live.group === id),
      )
      if (isBusy) throw busy()
    },
    decision(id, key) {
      const { pending, decision, folder } = all.get(id) ?? {}
      return pending?.type === 'approval' && pending.key === key && decision
        ? { folder, decision }
        : undefined
    },
    waiting: () => [...all.values()].flatMap(({ pending }) => (pending ? [pending] : [])),
    answer: async (id, key, value) => (await all.get(id)?.answer(key, value)) ?? false,
    async close() {
      isClosed = true
      for (const live of all.values()) live.stop()
      await Promise.all(working)
    },
  }

  function forgetOldest(): void {
    const ended = [...all.values()].filter(({ result }) => result)
    for (const { id } of ended.slice(0, Math.max(0, ended.length - MAX_ENDED))) all.delete(id)
  }
}

/**
 * The prefix of the ids of executions, and of the keys under which groups of them store changes.
 */
const PREFIX = 'exec-'

/** True if this is the id under which one or several executions store their changes. */
export function isExecutionId(id: string): boolean {
  return id.startsWith(PREFIX) && /^[\w-]{1,64}$/.test(id.slice(PREFIX.length))
}

/** The maximum number of running or waiting calls: each has its own tools. */
const MAX_LIVE = 256
/** The maximum number of stored results. */
const MAX_ENDED = 100

function busy(): HttpError {
  return new HttpError('run_busy', 'One of its calls is running or waiting for approval.', {
    action: 'Wait until it has ended, or stop it with DELETE /api/tools/executions/:id.',
  })
}

function tooMany(): HttpError {
  return new HttpError(
    'rate_limited',
    `${MAX_LIVE} calls are running or waiting for approval, which is the limit.`,
    {
      action: 'Answer some of them, or stop them.',
      headers: { 'retry-after': '10' },
    },
  )
}

/** Throws an HttpError if the settings turn off the tool with this name or alias. */
function refuseDisabled(name: string, opened: Pick<OpenTools, 'whyDisabled'>): void {
  const disabled = opened.whyDisabled(name)
  if (!disabled) return
  const message = `${disabled.reason}.`
  throw new HttpError('tool_disabled', message, {
    // The fields read by clients of the tool service.
    members: { success: false, result: message, exit_code: null },
    action:
      'Turn it on there. GET /api/tools lists the tools, and the setting that turns each off.',
  })
}
