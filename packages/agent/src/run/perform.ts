import type { Call } from '@toolglot/core'
import { approvalHash, type ApprovalRequest } from '../permission/approval.ts'
import type { Decision } from '../permission/decision.ts'
import { readRules } from '../permission/read-rules.ts'
import { suggestRules } from '../permission/suggest.ts'
import { echoes } from '../result/echo.ts'
import { restoreArguments } from '../result/restore-arguments.ts'
import type { Serialised } from '../result/serialise.ts'
import { execute, type Outcome, type ToolCall } from '../tool/execute.ts'
import type { Ask } from '../tool/question.ts'
import type { Progress } from '../tool/tool.ts'
import type { Said } from './options.ts'
import type { ToolOutcome } from './outcome.ts'
import type { State } from './state.ts'
import { Stopped } from './stopped.ts'

/** Runs a call as far as it may: decided, asked about, recorded before and after. */
export async function perform(state: State, call: Call, key: string): Promise<ToolOutcome> {
  const { steps, tools, world, signal, emit, id, limits } = state
  const asked: ToolCall = {
    id: call.id,
    name: call.name,
    args: restoreArguments(call.args, tools.definitions()) as ToolCall['args'],
    trust: { ...trustOf(call), echoes: isEcho(state, call) },
  }
  let isLive = false
  const outcome = await steps.step(
    key,
    async (begin) => {
      isLive = true
      const began = performance.now()
      emit({ type: 'tool-start', call: call.id, name: call.name, args: asked.args })
      const passing = escapes()
      const done = await execute(asked, {
        ...tools.executing(state.permissions),
        world,
        signal,
        run: id,
        begin: passing(begin),
        approve: passing((about, decision) => approve(state, about, decision, key)),
        toolTimeout: limits.toolTimeout,
        ask: (questions, stop) => question(state, call.id, key, questions, stop),
        onProgress: (update) => progress(state, call, update),
      })
      passing.check()
      return recordOf(done, Math.round(performance.now() - began))
    },
    () => {
      isLive = true
      return unknownOutcome(state, call)
    },
  )
  state.outcomes.set(call.id, outcome)
  if (isLive) emit({ type: 'tool-end', call: call.id, name: call.name, outcome })
  return outcome
}

function progress(state: State, { id }: Call, update: Progress): void {
  if (update.type !== 'todo') return state.emit({ type: 'tool-progress', call: id, update })
  state.todos = update.todos
  state.emit({ type: 'todo', todos: update.todos })
}

/** A call that somebody did not want any more, unless it was run before they said so. */
export async function abandon(state: State, call: Call, key: string): Promise<ToolOutcome> {
  const outcome = await state.steps.step<ToolOutcome>(
    key,
    async () => ({ status: 'cancelled', text: `${call.name} was not run.`, duration: 0 }),
    () => unknownOutcome(state, call),
  )
  state.outcomes.set(call.id, outcome)
  return outcome
}

/** What is no failure of the tool: that nothing can be recorded, that the run is stopped. It ends more than the call. */
function escapes(): {
  <Arguments extends unknown[], Value>(
    work: (...args: Arguments) => Promise<Value>,
  ): (...args: Arguments) => Promise<Value>
  check(): void
} {
  let escaped: { error: unknown } | undefined
  const passing =
    <Arguments extends unknown[], Value>(
      work: (...args: Arguments) => Promise<Value>,
    ): ((...args: Arguments) => Promise<Value>) =>
    (...args) =>
      work(...args).catch((error: unknown) => {
        escaped ??= { error }
        throw error
      })
  const check = (): void => {
    if (escaped) throw escaped.error
  }
  return Object.assign(passing, { check })
}

/** Asks a person once for exactly this; the answer is recorded before it counts. */
async function approve(
  state: State,
  call: ToolCall,
  decision: Decision,
  key: string,
): Promise<Said> {
  const { id: run, world, permissions, options, limits, emit, signal } = state
  const hash = await approvalHash(run, call.id, call, decision, world.cwd)
  const { approvalTimeout } = limits
  const request: ApprovalRequest = {
    run,
    call: call.id,
    hash,
    decision,
    always: suggestRules(call, permissions, world),
    ...(approvalTimeout !== undefined && { expires: Date.now() + approvalTimeout }),
  }
  const shown = { ...request, name: call.name, args: call.args }
  emit({ type: 'approval-request', request, name: call.name, args: call.args })
  const said = await inTime(state, approvalTimeout, (stop) =>
    state.steps.wait<Said>(
      `${key}/approval/${hash.slice(0, 16)}`,
      options.approve && (() => options.approve!(shown, stop)),
      stop,
    ),
  )
  signal.throwIfAborted()
  const { verdict, reason } = said
  emit({
    type: 'approval',
    approval: { run, call: call.id, hash, verdict, ...(reason !== undefined && { reason }) },
  })
  if (verdict === 'allow' && said.always) allowAlways(state, request.always)
  if (verdict === 'deny' && said.stop) throw new Stopped(reason)
  return said
}

async function inTime(
  { signal }: State,
  limit: number | undefined,
  wait: (stop: AbortSignal) => Promise<Said>,
): Promise<Said> {
  if (limit === undefined) return wait(signal)
  const over = AbortSignal.timeout(limit)
  try {
    return await wait(AbortSignal.any([signal, over]))
  } catch (error) {
    if (!over.aborted || signal.aborted) throw error
    return { verdict: 'deny', reason: `Nobody answered within ${limit / 1000} seconds.` }
  }
}

function allowAlways(state: State, texts: readonly string[]): void {
  const { permissions } = state
  const { rules } = readRules(texts, 'allow', { scope: 'cli' }, permissions.tools)
  state.permissions = { ...permissions, rules: [...permissions.rules, ...rules] }
}

const question = async (
  { steps, options, emit }: State,
  call: string,
  key: string,
  questions: Parameters<Ask>[0],
  signal: AbortSignal,
): ReturnType<Ask> => {
  emit({ type: 'question', call, questions })
  const answers = await steps.wait(
    `${key}/question`,
    options.ask && ((stop) => options.ask!(questions, stop)),
    signal,
  )
  emit({ type: 'answer', call, answers })
  return answers
}

function recordOf(outcome: Outcome, duration: number): ToolOutcome {
  if (outcome.status === 'error') {
    const { failure } = outcome
    return { status: statusOf(failure), text: failure.message, failure, duration }
  }
  const { text, truncated, size } = kept(outcome)
  const data = plain(outcome.result)
  return {
    status: 'success',
    text,
    ...(data !== undefined && { data }),
    duration,
    ...(truncated && { truncated }),
    ...(size !== undefined && { size }),
  }
}

function kept({ text, truncated, size = text.length }: Serialised): Serialised {
  if (text.length <= MOST_KEPT) return { text, ...(truncated && { truncated, size }) }
  return { text: text.slice(0, MOST_KEPT), truncated: true, size }
}

/** The longest result that is kept, in characters. */
const MOST_KEPT = 1 << 20

/** What a program may want of a result: small plain data. */
function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  try {
    const text = JSON.stringify(value)
    return text.length <= MOST_DATA ? (JSON.parse(text) as unknown) : undefined
  } catch {
    // A cycle, a BigInt: what it is as text must do.
    return undefined
  }
}

const MOST_DATA = 64 << 10

function statusOf({
  error_type,
  details,
}: {
  error_type: string
  details?: Readonly<Record<string, unknown>>
}): ToolOutcome['status'] {
  if (details?.['code'] === 'cancelled') return 'cancelled'
  if (error_type === 'permission_denied') return 'denied'
  return error_type === 'timeout' ? 'timeout' : 'error'
}

function unknownOutcome({ emit }: State, { name }: Call): ToolOutcome {
  const text = `It is not known whether ${name} did its work: the run was stopped in the middle of it. It was not done again. Look at what is there before you go on.`
  emit({ type: 'warning', code: 'interrupted', message: text })
  return { status: 'unknown', text, duration: 0 }
}

function trustOf(call: Call): Omit<ToolCall['trust'] & {}, 'echoes'> {
  const { complete, repairs, inReasoning, fenced, markerless, afterMalformed, afterResult } = call
  return {
    complete,
    repairs,
    ...(inReasoning && { inReasoning }),
    ...(fenced && { fenced }),
    ...(markerless && { markerless }),
    ...(afterMalformed && { afterMalformed }),
    ...(afterResult && { afterResult }),
  }
}

/** Whether something that the model was told, by a tool or a project, dictated this call. */
function isEcho({ tools, messages, options }: State, call: Call): boolean {
  if (tools.find(call.name)?.access.readOnly) return false
  const told = messages.flatMap((message) =>
    message.role === 'results'
      ? message.results.flatMap(({ output, failed }) => (failed ? [] : [output]))
      : [],
  )
  return echoes(call, [...(options.untrusted ?? []), ...told])
}
