import { randomBytes } from 'node:crypto'
import {
  type Answers,
  type ApprovalAnswer,
  type ApprovalQuestion,
  execute,
  type ExecuteResult,
  type Question,
  Unanswered,
} from '@toolglot/agent'
import type { PendingRequest } from '@toolglot/agent/journal'
import { isServerTool } from '@toolglot/permissions/internal'
import { type Decision, suggestRuleForEach } from '@toolglot/permissions'
import { rememberRules, type OpenTools, type Workspace } from '@toolglot/workspace'
import { HttpError } from '../security/http-error.ts'
import type { Folders } from './folders.ts'

/** A call to execute. */
export interface ExecutionRequest {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  readonly folder: string | undefined
  /** Calls with the same one share the working directory, the files that were read, and what can be undone. */
  readonly run: string | undefined
  /** Aborts when whoever asked goes away, which counts until the execution waits for a person. */
  readonly signal: AbortSignal
}

/** A call that is executed without a run, and how far it is. */
export interface Execution {
  readonly id: string
  /** What it waits for. */
  readonly pending: PendingRequest | undefined
  /** How it ended. */
  readonly result: ExecuteResult | undefined
}

/** The calls that are executed without a run. What waits for a person is kept in memory only: nothing of it has run. */
export interface Executions {
  /** Executes a call. Resolves when it has ended, or waits for a person. */
  start(request: ExecutionRequest): Promise<Execution>
  /**
   * An execution by its id: at once if it has ended, otherwise when it is asked about, answered or ended, after some
   * milliseconds, or when a signal aborts.
   */
  find(id: string, wait: number, signals: readonly AbortSignal[]): Promise<Execution | undefined>
  /** Stops an execution. False if there is none with this id that has not ended. */
  stop(id: string): boolean
  /** Throws an HttpError while a call with this id, or one of those with something in common, has not ended. */
  refuseBusy(id: string): void
  /** What a person is asked about under a key: in which folder, and the decision on it. */
  decision(
    id: string,
    key: string,
  ): { readonly folder: string | undefined; readonly decision: Decision } | undefined
  /** What executions wait for. */
  waiting(): readonly PendingRequest[]
  /**
   * Answers what an execution waits for. The first answer counts, and only its rules are stored. False if nothing waits under
   * this key. Throws, and answers nothing, if rules cannot be stored (a UserError), or should hold for a run (an HttpError).
   */
  answer(id: string, key: string, value: ApprovalAnswer | Answers): Promise<boolean>
  close(): Promise<void>
}

/** What executions depend on. */
export interface ExecutionsOptions {
  readonly folders: Folders
  /** Whether there is somebody to ask. */
  readonly isAttended: () => boolean
  /** Called when there is more or less to answer. */
  readonly onChange: () => void
  /** Called with what failed after a result was there, such as closing the tools. */
  readonly onError: (error: unknown) => void
}

/** An execution in progress. */
interface LiveExecution {
  readonly id: string
  /** What its changes are kept under: its id, or what it shares with other calls. */
  readonly group: string
  readonly folder: string | undefined
  readonly stop: AbortController
  decision: Decision | undefined
  /** Stores the suggested rules. */
  remember: ((scope: 'user' | 'folder') => Promise<unknown>) | undefined
  pending: PendingRequest | undefined
  answer: ((value: ApprovalAnswer | Answers) => void) | undefined
  result: ExecuteResult | undefined
  /** Resolves when every answer so far has been stored or refused. */
  answering: Promise<unknown>
  /** Called when it is asked about, answered or ended. */
  readonly waiters: Set<() => void>
}

/** Creates the executions of a server. */
export function createExecutions({
  folders,
  isAttended,
  onChange,
  onError,
}: ExecutionsOptions): Executions {
  /** The one that began last is at the end. */
  const all = new Map<string, LiveExecution>()
  const working = new Set<Promise<void>>()

  const wake = ({ waiters }: LiveExecution): void => {
    for (const waiter of [...waiters]) waiter()
  }
  /** Asks a person, under a key. */
  function ask<Value>(live: LiveExecution, pending: PendingRequest): Promise<Value> {
    return new Promise<Value>((resolve, reject) => {
      const { signal } = live.stop
      if (signal.aborted) return reject(new Unanswered('The call was stopped.'))
      const settle = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', onStop)
        live.pending = undefined
        live.answer = undefined
        wake(live)
        onChange()
      }
      const giveUp = (why: string): void => {
        settle()
        reject(new Unanswered(why))
      }
      const onStop = (): void => giveUp('The call was stopped.')
      const timer = setTimeout(() => giveUp('Nobody answered in time.'), ANSWER_TIME)
      signal.addEventListener('abort', onStop)
      live.pending = pending
      live.answer = (value) => {
        settle()
        resolve(value as Value)
      }
      wake(live)
      onChange()
    })
  }

  function approver(
    live: LiveExecution,
    workspace: Workspace,
    { tools, host }: OpenTools,
  ): (question: ApprovalQuestion) => Promise<ApprovalAnswer> {
    return async ({ call, decision, hash, permissions }) => {
      const dangerous = tools.get(decision.call?.name ?? call.name)?.dangerous ?? false
      const suggestions = suggestRuleForEach(decision, permissions, host.fileSystem, { dangerous })
      const rules = suggestions.flatMap((each) => ('rule' in each ? [each.rule] : []))
      live.decision = decision
      live.remember = (scope) => rememberRules(workspace, [...new Set(rules)], scope)
      return ask<ApprovalAnswer>(live, {
        type: 'approval',
        run: live.id,
        key: `approval/${hash.slice(0, 16)}`,
        call: call.id,
        tool: call.name,
        args: call.args,
        since: Date.now(),
        parts: decision.parts,
        suggestions,
        expires: Date.now() + ANSWER_TIME,
      }).catch((error: Error): ApprovalAnswer => ({ verdict: 'deny', reason: error.message }))
    }
  }

  async function run(
    live: LiveExecution,
    request: ExecutionRequest,
    workspace: Workspace,
  ): Promise<void> {
    const { tool: name, args } = request
    let questions = 0
    const work = async (opened: OpenTools): Promise<void> => {
      const permissions = await workspace.permissions()
      const result = await execute(
        { id: live.id, name, args },
        {
          tools: opened.tools,
          permissions,
          fileSystem: opened.host.fileSystem,
          signal: live.stop.signal,
          run: live.group,
          ...(isAttended() && {
            approve: approver(live, workspace, opened),
            ask: (asked: readonly Question[]) =>
              ask<Answers>(live, {
                type: 'question',
                run: live.id,
                key: `question/${questions++}`,
                call: live.id,
                tool: name,
                args,
                since: Date.now(),
                questions: asked,
              }),
          }),
        },
      )
      const { tasks } = opened.host.processes
      const task = tasks.find(({ status }) => status === 'running')
      live.result = task && live.group === live.id ? endsWithCall(name, task.id) : result
      // Nobody waits until the tools are closed.
      wake(live)
    }
    // MCP servers take long to start, and know nothing of directories.
    if (isServerTool(name)) await folders.useTools(workspace, work)
    else await folders.useOwnTools(workspace, request.run, work)
  }

  async function answer(
    live: LiveExecution,
    key: string,
    value: ApprovalAnswer | Answers,
  ): Promise<boolean> {
    const { pending } = live
    if (pending?.key !== key) return false
    const { verdict, always } = value as ApprovalAnswer
    if (pending.type === 'approval' && verdict === 'allow') {
      if (always === 'run' || always === true) throw noRun()
      if (always) await live.remember?.(always)
    }
    // It may have been stopped meanwhile.
    if (live.pending === pending) live.answer?.(value)
    return true
  }

  return {
    async start(request) {
      if ([...all.values()].filter(({ result }) => !result).length >= MAX_LIVE) throw tooMany()
      const workspace = await folders.open(request.folder)
      const id = PREFIX + randomBytes(8).toString('hex')
      const live: LiveExecution = {
        id,
        group: request.run === undefined ? id : PREFIX + request.run,
        folder: request.folder,
        decision: undefined,
        remember: undefined,
        stop: new AbortController(),
        pending: undefined,
        answer: undefined,
        result: undefined,
        answering: Promise.resolve(),
        waiters: new Set(),
      }
      const work = run(live, request, workspace)
        .catch((error: unknown) => {
          if (!live.result) throw error
          onError(error)
        })
        .finally(() => {
          working.delete(work)
          // If it failed, nobody can ask for its result.
          if (!live.result) all.delete(live.id)
          wake(live)
          forgetOldest()
        })
      working.add(work)
      all.set(live.id, live)
      // Once it waits for a person, others continue it.
      const leave = (): void => {
        if (!live.pending) live.stop.abort()
      }
      request.signal.addEventListener('abort', leave)
      // They may have gone away while the folder was opened.
      if (request.signal.aborted) leave()
      let onWake = (): void => {}
      const woken = new Promise<void>((resolve) => (onWake = resolve))
      live.waiters.add(onWake)
      let isAwaited = true
      work.catch((error: unknown) => {
        if (!isAwaited) onError(error)
      })
      try {
        await Promise.race([work, woken])
        // If it failed, whoever waits for it was woken first.
        if (!live.pending && !live.result) await work
      } finally {
        isAwaited = false
        request.signal.removeEventListener('abort', leave)
        live.waiters.delete(onWake)
      }
      return live
    },
    async find(id, wait, signals) {
      const live = all.get(id)
      if (!live || live.result || wait === 0) return live
      await new Promise<void>((resolve) => {
        const end = (): void => {
          clearTimeout(timer)
          for (const signal of signals) signal.removeEventListener('abort', end)
          live.waiters.delete(end)
          resolve()
        }
        const timer = setTimeout(end, wait)
        for (const signal of signals) signal.addEventListener('abort', end)
        live.waiters.add(end)
        if (signals.some(({ aborted }) => aborted)) end()
      })
      return live
    },
    stop(id) {
      const live = all.get(id)
      if (!live || live.result) return false
      live.stop.abort()
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
    async answer(id, key, value) {
      const live = all.get(id)
      if (!live) return false
      // Storing rules takes time: whoever comes second waits for it, and may be too late.
      const answered = live.answering.then(() => answer(live, key, value))
      live.answering = answered.catch(() => {})
      return answered
    },
    async close() {
      for (const { stop } of all.values()) stop.abort()
      await Promise.allSettled(working)
    },
  }

  function forgetOldest(): void {
    const ended = [...all.values()].filter(({ result }) => result)
    for (const { id } of ended.slice(0, Math.max(0, ended.length - MAX_ENDED))) all.delete(id)
  }
}

/** The ids of executions begin with this, and so does what the changes of several are kept under. */
const PREFIX = 'exec-'

/** Whether this is what an execution, or several with something in common, keep their changes under. */
export function isExecutionId(id: string): boolean {
  return id.startsWith(PREFIX) && /^[\w-]{1,64}$/.test(id.slice(PREFIX.length))
}

/** A background command is stopped with the tools that started it. */
function endsWithCall(tool: string, task: string): ExecuteResult {
  const message = `${task} is stopped with this call: only calls that share a run have background commands.`
  const failure = {
    tool,
    error_type: 'invalid_input',
    message,
    details: { code: 'no_run' },
  } as const
  return { status: 'error', failure }
}

/** How long a person has to answer, in milliseconds. */
const ANSWER_TIME = 10 * 60_000
/** How many calls are executed or wait at the same time: each has its own tools. */
const MAX_LIVE = 256

function busy(): HttpError {
  return new HttpError('run_busy', 'A call of it is being executed, or waits for approval.', {
    action: 'Wait until it has ended, or stop it with DELETE /api/tools/executions/:id.',
  })
}

function noRun(): HttpError {
  return new HttpError('unprocessable', 'Expected "user" or "folder", got "run": there is none.', {
    action: 'Allow the call once, or always in your settings. Nothing was changed.',
  })
}

function tooMany(): HttpError {
  return new HttpError('rate_limited', `${MAX_LIVE} calls are executed or wait for approval.`, {
    action: 'Answer some of them, or stop them.',
    headers: { 'retry-after': '10' },
  })
}

/** How many results can still be asked for. */
const MAX_ENDED = 100
