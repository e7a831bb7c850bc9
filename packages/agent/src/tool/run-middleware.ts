import type { Middleware } from '../registry/registry.ts'
import { canonicalJson } from '@toolglot/permissions/internal'
import type { ExecuteResult, ToolCall } from './execute.ts'
import { failureResult } from './failure-result.ts'
import { frozenCopy } from './frozen-copy.ts'
import { mayRepeat } from './effects.ts'
import type { Tool } from './tool.ts'
import { ToolError } from './tool-error.ts'

/** A call that may run, and how it is run. */
export interface AdmittedCall {
  readonly tool: Tool
  readonly run: () => Promise<ExecuteResult>
}

interface Passing {
  readonly middleware: readonly Middleware[]
  /** Checks a call and decides on it; an outcome says why it may not run. */
  readonly admit: (call: ToolCall) => Promise<AdmittedCall | ExecuteResult>
  readonly signal: AbortSignal
  readonly run: string | undefined
}

/** Runs a call that may run through the middleware, the first of it outermost. It never throws. */
export async function runMiddleware(
  original: ToolCall,
  first: AdmittedCall,
  { middleware, admit, signal, run }: Passing,
): Promise<ExecuteResult> {
  /** The tool with an effect that was run: there is no second time, whoever asks. */
  let effect: string | undefined
  const call = { ...original, args: frozenCopy(original.args) as ToolCall['args'] }
  return pass(call, first, 0)

  async function pass(current: ToolCall, admitted: AdmittedCall, at: number): Promise<ExecuteResult> {
    const { tool } = admitted
    const each = middleware[at]
    if (!each) return runOnce(admitted)
    let over = false
    const next = async (passed: ToolCall = current): Promise<ExecuteResult> => {
      try {
        if (over) throw wrong(`was over when it passed on a call of ${tool.name}`)
        const changed = changedCall(current, passed)
        if (!changed) return await pass(current, admitted, at + 1)
        const anew = await admit(changed)
        return 'status' in anew ? anew : await pass(changed, anew, at + 1)
      } catch (error) {
        return failureResult(tool.name, error)
      }
    }
    try {
      const context = { tool, signal, ...(run !== undefined && { run }) }
      const outcome: unknown = await each(current, next, context)
      if (!isOutcome(outcome)) throw wrong('gave no outcome: return what next() gives')
      return outcome
    } catch (error) {
      return failureResult(tool.name, told(error, effect))
    } finally {
      over = true
    }
  }

  async function runOnce({ tool, run: start }: AdmittedCall): Promise<ExecuteResult> {
    if (mayRepeat(tool)) return start()
    if (effect !== undefined)
      return failureResult(tool.name, wrong(`called next twice: ${effect} has run, and is not run again`))
    effect = tool.name
    return start()
  }
}

/** The call that is passed on, if it is another. Its id, and how sure it is that the model meant it, stay. */
function changedCall(current: ToolCall, passed: ToolCall): ToolCall | undefined {
  const { name, args } = passed
  const same = args === current.args || canonicalJson(args) === canonicalJson(current.args)
  if (name === current.name && same) return undefined
  return { ...current, name, args: frozenCopy(args) as ToolCall['args'] }
}

function wrong(what: string): ToolError {
  return new ToolError('execution_failed', `A middleware ${what}.`, { code: 'middleware' })
}

/** Whoever is told of the failure must know what happened before it. */
function told(error: unknown, effect: string | undefined): unknown {
  const outcome = failureResult('', error)
  if (outcome.status !== 'error' || error instanceof ToolError) return error
  const when = effect === undefined ? '' : ` after ${effect} had run`
  const message = `A middleware failed${when}: ${outcome.failure.message}`
  return new ToolError('execution_failed', message, { code: 'middleware' })
}

function isOutcome(value: unknown): value is ExecuteResult {
  const { status, text, failure } = (value ?? {}) as Record<string, unknown>
  return status === 'success'
    ? typeof text === 'string'
    : status === 'error' && typeof failure === 'object' && failure !== null
}
