import type { Call } from '@toolglot/core'
import { echoes } from '../../result/echo.ts'
import { restoreArguments } from '../../result/restore-arguments.ts'
import { duplicateKeyProblemIn } from '../../tool/duplicate-key.ts'
import { execute, type ToolCall } from '../../tool/execute.ts'
import { failureResult } from '../../tool/failure-result.ts'
import type { ToolProgress } from '../../tool/tool.ts'
import { ToolError } from '../../tool/tool-error.ts'
import { askForApproval, createAsk, hasApprover } from '../approval/ask-person.ts'
import { createErrorTrap } from './error-trap.ts'
import { type ToolOutcome, toOutcome } from './tool-outcome.ts'
import type { LoopState } from '../loop/loop-state.ts'

/** Runs a call if it is permitted, asking a person if necessary, and records it before and after. */
export async function runCall(state: LoopState, call: Call, key: string): Promise<ToolOutcome> {
  const { steps, tools, fileSystem, signal, emit, id, limits, format } = state
  const printed = { tools: tools.definitions(), protocols: format.protocol }
  const restored: ToolCall = {
    id: call.id,
    name: call.name,
    args: restoreArguments(call.args, printed) as ToolCall['args'],
    trust: { ...trustOf(call), echoes: isEcho(state, call) },
  }
  let isNew = false
  const outcome = await steps.step(
    key,
    async (begin) => {
      isNew = true
      const began = performance.now()
      emit({ type: 'tool-start', call: call.id, name: call.name, args: restored.args })
      const problem = duplicateKeyProblemIn(call)
      if (problem !== undefined) {
        const error = new ToolError('invalid_input', problem, { code: 'duplicate_key' })
        return toOutcome(failureResult(call.name, error), Math.round(performance.now() - began))
      }
      const trap = createErrorTrap()
      const ask = createAsk(state, call.id, key)
      const result = await execute(restored, {
        ...tools.executeOptions(state.permissions),
        fileSystem,
        signal,
        run: id,
        begin: trap.wrap(begin),
        ...(hasApprover(state) && {
          approve: trap.wrap((question) => askForApproval(state, question, key)),
        }),
        toolTimeout: limits.toolTimeout,
        ...(ask && { ask }),
        onProgress: (update) => reportProgress(state, call, update),
      })
      trap.rethrow()
      const outcome = await toOutcome(result, Math.round(performance.now() - began))
      if (outcome.status === 'unknown') warnInterrupted(state, outcome)
      return outcome
    },
    () => {
      isNew = true
      return unknownOutcome(state, call)
    },
  )
  state.outcomes.set(call.id, outcome)
  if (isNew) emit({ type: 'tool-end', call: call.id, name: call.name, outcome })
  return outcome
}

function reportProgress(state: LoopState, { id }: Call, update: ToolProgress): void {
  if (update.type !== 'todo') return state.emit({ type: 'tool-progress', call: id, update })
  state.todos = update.todos
  state.emit({ type: 'todo', todos: update.todos })
}

/** Records that a call was not run because a person continued without it, unless it had run already. */
export async function abandonCall(state: LoopState, call: Call, key: string): Promise<ToolOutcome> {
  const outcome = await state.steps.step<ToolOutcome>(
    key,
    async () => ({ status: 'cancelled', text: `${call.name} was not run.`, duration: 0 }),
    () => unknownOutcome(state, call),
  )
  state.outcomes.set(call.id, outcome)
  return outcome
}

function unknownOutcome(state: LoopState, { name }: Call): ToolOutcome {
  const text = `It is unknown whether ${name} finished: the run was interrupted while it ran. It was not run again. Check the current state before you continue.`
  return warnInterrupted(state, { status: 'unknown', text, duration: 0 })
}

function warnInterrupted({ emit }: LoopState, outcome: ToolOutcome): ToolOutcome {
  emit({ type: 'warning', code: 'interrupted', message: outcome.text })
  return outcome
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

/** Whether untrusted text that the model has read, such as a result, dictated this call. */
function isEcho({ tools, untrustedTexts }: LoopState, call: Call): boolean {
  return !tools.find(call.name)?.access.readOnly && echoes(call, untrustedTexts)
}
