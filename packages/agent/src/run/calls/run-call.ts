import { restoreArguments } from '@toolglot/core'
import { JournalError } from '../../journal/journal.ts'
import { type CallKey, printKey } from '../../journal/keys.ts'
import { duplicateKeyProblemIn } from '../../tool/duplicate-key.ts'
import { execute, type ExecuteOptions, type ToolCall } from '../../tool/execute.ts'
import { failureResult } from '../../tool/failure-result.ts'
import { ToolError } from '../../tool/tool-error.ts'
import { mayChange, mayRepeat, type Todo, type Tool } from '../../tool/tool.ts'
import { verifyCall } from '../../tool/verify-call.ts'
import { askForApproval } from '../approval/approve-call.ts'
import { createAsk, hasApprover } from '../approval/ask-person.ts'
import { type RunCall, toolStart } from '../event.ts'
import { Paused } from '../ends.ts'
import { AGAIN, type Beginning } from '../resume/steps.ts'
import type { CallState } from '../state.ts'
import { type ToolSpan, traceTool } from '../telemetry/spans.ts'
import { NEVER_BEGAN, type ToolOutcome, toOutcome } from './tool-outcome.ts'
import { echoes } from './echoes.ts'

/**
 * Runs a call if it is permitted, requesting approval if necessary. The call is recorded before and
 * after it runs.
 */
export async function runCall(
  state: CallState,
  call: RunCall,
  key: CallKey,
  running: Running,
): Promise<ToolOutcome> {
  const outcome = await state.steps.step<ToolOutcome>(
    key,
    (begin) =>
      traceTool(state, call, (span) => runNow(state, call, key, { ...running, begin, span })),
    (began) => interruptedOutcome(state, call, key, { ...began, signal: running.signal }),
  )
  return apply(state, call, outcome)
}

/** The outcome of a call that did not run. */
export type Skipped = Pick<ToolOutcome, 'status' | 'text' | 'data' | 'repeats'>

/** Records that a call did not run, unless it already has an outcome. */
export async function skipCall(
  state: CallState,
  call: RunCall,
  key: CallKey,
  skipped: Skipped,
): Promise<ToolOutcome> {
  const outcome = await state.steps.step<ToolOutcome>(
    key,
    async () => ({ ...skipped, ...NEVER_BEGAN }),
    (began) => interruptedOutcome(state, call, key, { ...began, signal: state.signal }),
  )
  return apply(state, call, outcome)
}

/**
 * Requests approval while earlier calls are still running, so that the approver need not wait for
 * them.
 */
export async function askInAdvance(
  state: CallState,
  call: RunCall,
  key: CallKey,
  running: Running,
): Promise<void> {
  if (!hasApprover(state) || state.steps.has(key) || duplicateKeyProblemIn(call)) return
  const trap = createErrorTrap()
  const { middleware: _, ...options } = executeOptions(state, call, key, {
    ...running,
    trap,
    canPause: () => true,
  })
  await execute(toolCall(state, call), { ...options, begin: () => Promise.reject(NOT_YET) })
  trap.rethrow()
}

const NOT_YET = new Error('It has to wait for the calls before it.')

/** The context of a call that runs alongside the other calls in its turn. */
export interface Running {
  readonly signal: AbortSignal
  /** Called when the call has requested approval or starts. */
  readonly asked: () => void
}

interface RunningNow extends Running {
  /** Records the start of the tool. */
  readonly begin: (about: object) => Promise<void>
  readonly span: ToolSpan
}

async function runNow(
  state: CallState,
  call: RunCall,
  key: CallKey,
  { begin, span, ...running }: RunningNow,
): Promise<ToolOutcome> {
  const { id, name } = call
  const problem = duplicateKeyProblemIn(call)
  if (problem !== undefined) {
    const error = new ToolError('invalid_input', problem, { code: 'duplicate_key' })
    return toOutcome(failureResult(name, error), NEVER_BEGAN)
  }
  const trap = createErrorTrap()
  const restored = toolCall(state, call)
  const changedArgs = restored.args === call.args ? {} : { args: restored.args }
  const remembered = new Map<string, unknown>()
  let todos: readonly Todo[] | undefined
  let began: ToolBeginning | undefined
  const isRecorded = (): boolean => began !== undefined && !mayRepeat(began.tool)
  const result = await execute(restored, {
    // A tool that must not run twice has to finish once it has started, so the run cannot pause.
    ...executeOptions(state, call, key, { ...running, trap, canPause: () => !isRecorded() }),
    async begin(tool) {
      if (began) return
      running.asked()
      await trap.wrap(async () => state.release.throwIfAborted())()
      // The cause of an effect is recorded before the effect.
      if (!mayRepeat(tool)) await trap.wrap(begin)(changedArgs)
      else {
        if (!tool.access.readOnly) await trap.wrap(state.steps.flush)()
        state.emit(toolStart(call, restored.args))
      }
      began = { tool, started: Date.now(), clock: performance.now() }
      span.begin()
    },
    within: span.within,
    onProgress(update) {
      if (update.type === 'todo') todos = update.todos
      else state.emit({ type: 'tool-progress', call: id, update })
    },
    remember: (what, value) => remembered.set(what, value),
    onLate(late) {
      void toOutcome(late, timeSince(began)).then((outcome) =>
        state.late.push({ call: id, name, outcome }),
      )
    },
  })
  trap.rethrow()
  const ended = await toOutcome(result, timeSince(began))
  // The tool was stopped before it did anything.
  const outcome = ended.status === 'cancelled' ? { ...ended, ...NEVER_BEGAN } : ended
  // A cache answered the call with an earlier result.
  const isReused = outcome.status === 'success' && began === undefined
  const earlier = isReused ? state.repeats.find(name, call.args) : undefined
  const isAlarming = outcome.status === 'unknown' && began !== undefined && mayChange(began.tool)
  return {
    ...outcome,
    ...(!isRecorded() && changedArgs),
    ...(earlier && { repeats: earlier.id }),
    ...(todos && { todos }),
    ...(remembered.size > 0 && { remembered: Object.fromEntries(remembered) }),
    ...(isAlarming && { mayHaveChanged: true as const }),
  }
}

/** The start of a tool. */
interface ToolBeginning {
  readonly tool: Tool
  /** The start time, in milliseconds since 1970. */
  readonly started: number
  /** The start on a monotonic clock. */
  readonly clock: number
}

function timeSince(began: ToolBeginning | undefined): Pick<ToolOutcome, 'started' | 'duration'> {
  if (!began) return NEVER_BEGAN
  return { started: began.started, duration: Math.round(performance.now() - began.clock) }
}

function executeOptions(
  state: CallState,
  call: RunCall,
  key: CallKey,
  { signal, asked, trap, canPause }: Running & { trap: ErrorTrap; canPause: () => boolean },
): ExecuteOptions {
  const { tools, permissions, hosts } = state
  const ask = createAsk(state, call, key, canPause)
  // A recorded approval counts even if no approver is present now.
  const isAnswered = !hasApprover(state) && state.steps.isApprovalAnswered(key)
  return {
    ...tools.executeOptions(isAnswered ? { ...permissions, interactive: true } : permissions),
    ...identityOf(state, key),
    ...basicsOf(state, signal),
    hosts,
    ...((hasApprover(state) || isAnswered) && {
      approve: trap.wrap((question) => {
        const answer = askForApproval(state, question, key, signal)
        asked()
        return answer
      }),
    }),
    ...(ask && {
      ask: trap.wrap(ask, (error) =>
        error instanceof Paused ? canPause() : error instanceof JournalError,
      ),
    }),
  }
}

function identityOf(
  { id: run, hasUniqueKeys }: CallState,
  key: CallKey,
): Pick<ExecuteOptions, 'run' | 'idempotencyKey'> {
  return { run, ...(hasUniqueKeys && { idempotencyKey: `${run}/${printKey(key)}` }) }
}

function basicsOf(
  { fileSystem, limits: { toolTimeout } }: CallState,
  signal: AbortSignal,
): Pick<ExecuteOptions, 'fileSystem' | 'signal' | 'toolTimeout'> {
  return { fileSystem, signal, toolTimeout }
}

/** The call in the form passed to the tool. */
function toolCall(state: CallState, call: RunCall): ToolCall {
  const { tools, format } = state
  const printed = { tools: tools.definitions(), protocols: format.protocol }
  return {
    id: call.id,
    name: call.name,
    args: restoreArguments(call.args, printed) as ToolCall['args'],
    trust: trustOf(state, call),
  }
}

function trustOf({ tools, untrustedTexts }: CallState, call: RunCall): ToolCall['trust'] {
  const { complete, repairs, inReasoning, fenced, markerless } = call
  const { afterMalformed, afterResult, otherProtocol } = call
  return {
    complete,
    repairs,
    inReasoning,
    fenced,
    markerless,
    afterMalformed,
    afterResult,
    otherProtocol,
    echoes: !tools.find(call.name)?.access.readOnly && echoes(call, untrustedTexts),
  }
}

function apply(state: CallState, call: RunCall, outcome: ToolOutcome): ToolOutcome {
  state.outcomes.set(call.id, outcome)
  if (outcome.todos) state.todos = outcome.todos
  return outcome
}

/**
 * The outcome of a call interrupted by the death of its process, or AGAIN if the tool reports that
 * nothing was done.
 */
async function interruptedOutcome(
  state: CallState,
  call: RunCall,
  key: CallKey,
  { time, about, signal }: Beginning & Pick<Running, 'signal'>,
): Promise<ToolOutcome | typeof AGAIN> {
  const { tools, permissions } = state
  const restored = toolCall(state, call)
  const { args = restored.args } = (about ?? {}) as Pick<ToolOutcome, 'args'>
  const verified = await verifyCall(
    { ...restored, args },
    { ...tools.executeOptions(permissions), ...identityOf(state, key), ...basicsOf(state, signal) },
  )
  // Leave the check to the process that continues the run.
  signal.throwIfAborted()
  if (verified === 'not-done') return AGAIN
  if (verified === 'unknown' || verified.status === 'error') return unknownOutcome(call, time)
  return { ...(await toOutcome(verified, { started: time, duration: 0 })), verified: true }
}

function unknownOutcome({ name }: RunCall, started: number): ToolOutcome {
  const text = `It is unknown whether ${name} finished: the run was interrupted while it ran. It was not run again. Check the current state before you continue.`
  return { status: 'unknown', text, started, duration: 0, mayHaveChanged: true }
}

/**
 * Keeps errors that must end the run, even if they pass through code that converts errors to tool
 * failures.
 */
interface ErrorTrap {
  /** Wraps a function and keeps its first error that must end the run. Default: every error. */
  wrap<Arguments extends unknown[], Value>(
    work: (...args: Arguments) => Promise<Value>,
    endsRun?: (error: unknown) => boolean,
  ): (...args: Arguments) => Promise<Value>
  /** Throws the kept error, if there is one. */
  rethrow(): void
}

/**
 * Creates a trap for errors that are not tool failures, such as a failed journal or a stopped run.
 */
function createErrorTrap(): ErrorTrap {
  let trapped: { readonly error: unknown } | undefined
  return {
    wrap:
      (work, endsRun = () => true) =>
      (...args) =>
        work(...args).catch((error: unknown) => {
          if (endsRun(error)) trapped ??= { error }
          throw error
        }),
    rethrow() {
      if (trapped) throw trapped.error
    },
  }
}
