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
import { toOutcome } from './outcome-of.ts'
import type { ToolOutcome } from './tool-outcome.ts'
import type { LoopState } from '../loop/loop-state.ts'

/** Runs a call as far as it may: decided, asked about, recorded before and after. */
export async function runCall(state: LoopState, call: Call, key: string): Promise<ToolOutcome> {
  const { steps, tools, fileSystem, signal, emit, id, limits, format } = state
  const printed = { tools: tools.definitions(), protocols: format.protocol }
  const asked: ToolCall = {
    id: call.id,
    name: call.name,
    args: restoreArguments(call.args, printed) as ToolCall['args'],
    trust: { ...trustOf(call), echoes: isEcho(state, call) },
  }
  let isLive = false
  const outcome = await steps.step(
    key,
    async (begin) => {
      isLive = true
      const began = performance.now()
      emit({ type: 'tool-start', call: call.id, name: call.name, args: asked.args })
      const doubled = duplicateKeyProblemIn(call)
      if (doubled !== undefined) {
        const error = new ToolError('invalid_input', doubled, { code: 'duplicate_key' })
        return toOutcome(failureResult(call.name, error), Math.round(performance.now() - began))
      }
      const passing = createErrorTrap()
      const ask = createAsk(state, call.id, key)
      const done = await execute(asked, {
        ...tools.executeOptions(state.permissions),
        fileSystem,
        signal,
        run: id,
        begin: passing(begin),
        ...(hasApprover(state) && {
          approve: passing((about) => askForApproval(state, about, key)),
        }),
        toolTimeout: limits.toolTimeout,
        ...(ask && { ask }),
        onProgress: (update) => progress(state, call, update),
      })
      passing.check()
      const outcome = await toOutcome(done, Math.round(performance.now() - began))
      if (outcome.status === 'unknown') warnOf(state, outcome)
      return outcome
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

function progress(state: LoopState, { id }: Call, update: ToolProgress): void {
  if (update.type !== 'todo') return state.emit({ type: 'tool-progress', call: id, update })
  state.todos = update.todos
  state.emit({ type: 'todo', todos: update.todos })
}

/** A call that somebody did not want any more, unless it was run before they said so. */
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
  const text = `It is not known whether ${name} did its work: the run was stopped in the middle of it. It was not done again. Look at what is there before you go on.`
  return warnOf(state, { status: 'unknown', text, duration: 0 })
}

function warnOf({ emit }: LoopState, outcome: ToolOutcome): ToolOutcome {
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

/** Whether something that the model was told, by a tool or a project, dictated this call. */
function isEcho({ tools, untrustedTexts }: LoopState, call: Call): boolean {
  return !tools.find(call.name)?.access.readOnly && echoes(call, untrustedTexts)
}
