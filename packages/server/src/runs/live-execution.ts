import {
  type Answers,
  type ApprovalAnswer,
  type ApprovalQuestion,
  execute,
  type ExecuteResult,
  type Question,
  type RunOptions,
  Unanswered,
} from '@toolglot/agent'
import type { PendingRequest } from '@toolglot/agent/journal'
import { type Decision, suggestRuleForEach } from '@toolglot/permissions'
import { suggestedRules } from '@toolglot/permissions/internal'
import { type OpenTools, rememberAllowed, type Workspace } from '@toolglot/workspace'
import { HttpError } from '../security/http-error.ts'

/** The state of a call that is executed without a run. */
export interface Execution {
  readonly id: string
  /** The pending request, if any. */
  readonly pending: PendingRequest | undefined
  /** The result, once it has ended. */
  readonly result: ExecuteResult | undefined
}

/** A call to execute, with its options. */
export interface ExecuteWith {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  readonly workspace: Workspace
  /** True if an approver is present. */
  readonly isAttended: boolean
}

/** A running or finished execution. */
export class LiveExecution implements Execution {
  readonly id: string
  /**
   * The key under which its file changes are stored: its own id, or an id shared with other calls.
   */
  readonly group: string
  readonly folder: string | undefined
  pending: PendingRequest | undefined
  result: ExecuteResult | undefined
  /** The decision that the pending request is about. */
  decision: Decision | undefined
  readonly #onChange: () => void
  readonly #stop = new AbortController()
  /** Called when there is a new request, an answer or a result. */
  readonly #waiters = new Set<() => void>()
  #settle: ((value: ApprovalAnswer | Answers) => void) | undefined
  /** Saves the rules of an answer that allows always. */
  #remember: RunOptions['remember']
  /** Resolves when every answer so far has been stored or refused. */
  #answering: Promise<unknown> = Promise.resolve()
  #questions = 0

  constructor(
    { id, group, folder }: Pick<LiveExecution, 'id' | 'group' | 'folder'>,
    onChange: () => void,
  ) {
    this.id = id
    this.group = group
    this.folder = folder
    this.#onChange = onChange
  }

  /** Executes the call with these tools. Afterwards, the result is available. */
  async execute({ tools, host }: OpenTools, call: ExecuteWith): Promise<void> {
    const { tool: name, args, workspace, isAttended } = call
    const result = await execute(
      { id: this.id, name, args },
      {
        tools,
        permissions: await workspace.permissions(),
        fileSystem: host.fileSystem,
        signal: this.#stop.signal,
        run: this.group,
        ...(isAttended && {
          approve: (question: ApprovalQuestion) =>
            this.#approve(question, { tools, host }, workspace),
          ask: (questions: readonly Question[]) =>
            this.#ask<Answers>({
              type: 'question',
              key: `question/${this.#questions++}`,
              tool: name,
              args,
              questions,
            }),
        }),
      },
    )
    const task = host.processes.tasks.find(({ status }) => status === 'running')
    this.result = task && this.group === this.id ? endsWithCall(name, task.id) : result
    // Wakes waiters before the tools are closed.
    this.wake()
  }

  stop(): void {
    this.#stop.abort()
  }

  /**
   * Answers the pending request. The first answer counts, and only its rules are saved. Saving
   * takes time, so a second answer waits for it and may come too late.
   */
  answer(key: string, value: ApprovalAnswer | Answers): Promise<boolean> {
    const answered = this.#answering.then(() => this.#take(key, value))
    this.#answering = answered.catch(() => {})
    return answered
  }

  /**
   * Resolves when there is a new request, an answer or a result, after some milliseconds, or when a
   * signal aborts.
   */
  changed(wait: number, signals: readonly AbortSignal[] = []): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer)
        for (const signal of signals) signal.removeEventListener('abort', end)
        this.#waiters.delete(end)
        resolve()
      }
      const timer = wait === Infinity ? undefined : setTimeout(end, wait)
      for (const signal of signals) signal.addEventListener('abort', end)
      this.#waiters.add(end)
      if (signals.some(({ aborted }) => aborted)) end()
    })
  }

  /** Notifies all waiters of a change. */
  wake(): void {
    for (const waiter of [...this.#waiters]) waiter()
  }

  async #take(key: string, value: ApprovalAnswer | Answers): Promise<boolean> {
    const { pending } = this
    if (pending?.key !== key) return false
    const { verdict, always, network } = value as ApprovalAnswer
    if (pending.type === 'approval' && verdict === 'allow') {
      const kept = typeof network === 'object' ? network : undefined
      if (always === 'run' || always === true || kept?.always === 'run') throw noRun()
      if (always) await this.#remember?.({ rules: suggestedRules(pending.suggestions) }, always)
      if (kept) await this.#remember?.({ hosts: kept.hosts }, kept.always)
    }
    // The execution may have been stopped while the answer was being saved.
    if (this.pending === pending) this.#settle?.(value)
    return true
  }

  /** Requests an approval of the call. */
  async #approve(
    { call, decision, hash, permissions, network }: ApprovalQuestion,
    { tools, host }: Pick<OpenTools, 'tools' | 'host'>,
    workspace: Workspace,
  ): Promise<ApprovalAnswer> {
    const { parts, runs, unprinted, code } = decision
    const dangerous = tools.get(decision.call?.name ?? call.name)?.dangerous ?? false
    const suggestions = await suggestRuleForEach(decision, permissions, host.fileSystem, {
      dangerous,
    })
    this.decision = decision
    this.#remember = async (allowed, scope) =>
      void (await rememberAllowed(workspace, allowed, scope))
    return await this.#ask<ApprovalAnswer>({
      type: 'approval',
      key: `approval/${hash.slice(0, 16)}`,
      tool: call.name,
      args: call.args,
      parts,
      runs,
      unprinted,
      code,
      suggestions,
      expires: Date.now() + ANSWER_TIME,
      network,
    }).catch((error: Error): ApprovalAnswer => ({ verdict: 'deny', reason: error.message }))
  }

  /** Sends a request to a person, and waits for the answer. */
  #ask<Value>(asked: Asked): Promise<Value> {
    return new Promise<Value>((resolve, reject) => {
      const { signal } = this.#stop
      if (signal.aborted) return reject(new Unanswered('The call was stopped.'))
      const settle = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', onStop)
        this.pending = undefined
        this.#settle = undefined
        this.#tell()
      }
      const giveUp = (why: string): void => {
        settle()
        reject(new Unanswered(why))
      }
      const onStop = (): void => giveUp('The call was stopped.')
      const timer = setTimeout(() => giveUp('Nobody answered in time.'), ANSWER_TIME)
      signal.addEventListener('abort', onStop)
      this.pending = { ...asked, run: this.id, call: this.id, since: Date.now() }
      this.#settle = (value) => {
        settle()
        resolve(value as Value)
      }
      this.#tell()
    })
  }

  #tell(): void {
    this.wake()
    this.#onChange()
  }
}

/** A request to a person. */
type Asked =
  | WithoutCommon<Extract<PendingRequest, { type: 'approval' }>>
  | WithoutCommon<Extract<PendingRequest, { type: 'question' }>>
type WithoutCommon<Request> = Omit<Request, 'run' | 'call' | 'since'>

/** The time limit for an answer, in milliseconds. */
const ANSWER_TIME = 10 * 60_000

/** A background command ends with the tools that started it. */
function endsWithCall(tool: string, task: string): ExecuteResult {
  const message = `${task} is stopped with this call: only calls that share a run have background commands.`
  const details = { code: 'no_run' }
  return { status: 'error', failure: { tool, error_type: 'invalid_input', message, details } }
}

function noRun(): HttpError {
  return new HttpError('unprocessable', 'This call has no run. Choose "user" or "folder".', {
    action: 'Allow the call once, or always in your settings. Nothing was changed.',
  })
}
