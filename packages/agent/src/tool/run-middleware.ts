import { canonicalJson } from '@toolglot/permissions/internal'
import type { Middleware } from '../registry/registry.ts'
import type { ExecuteResult, ToolCall } from './execute.ts'
import { failureResult } from './failure-result.ts'
import { frozenCopy } from './data-copy.ts'
import { mayRepeat, type Tool } from './tool.ts'
import { afterGrace } from './run-tool.ts'
import { ToolError } from './tool-error.ts'

/** A permitted call, with a function to run it. */
export interface AdmittedCall {
  readonly tool: Tool
  /** The arguments of the tool, including presets and defaults. */
  readonly args: Readonly<Record<string, unknown>>
  readonly run: () => Promise<ExecuteResult>
}

interface MiddlewareOptions {
  readonly middleware: readonly Middleware[]
  /** Checks and decides on a call. Returns a failure if it is not allowed to run. */
  readonly admit: (call: ToolCall) => Promise<AdmittedCall | ExecuteResult>
  readonly signal: AbortSignal
  readonly run: string | undefined
}

/**
 * Runs a permitted call through the middleware, outermost first. Never throws. After an abort,
 * middleware has the same time to end as tools.
 */
export async function runMiddleware(
  original: ToolCall,
  first: AdmittedCall,
  { middleware, admit, signal, run }: MiddlewareOptions,
): Promise<ExecuteResult> {
  /** The tool that has run and may have changed something. It never runs twice. */
  let effect: string | undefined
  let running = 0
  const call = { ...original, args: frozenCopy(original.args) as ToolCall['args'] }
  return untilStuck(pass(call, first, 0))

  async function pass(
    current: ToolCall,
    admitted: AdmittedCall,
    at: number,
  ): Promise<ExecuteResult> {
    const { tool, args } = admitted
    const each = middleware[at]
    if (!each) return runOnce(admitted)
    let isOver = false
    const next = async (passed: ToolCall = current): Promise<ExecuteResult> => {
      try {
        if (isOver) throw middlewareError(`called next for ${tool.name} after it had returned`)
        const changed = changedCall(current, passed)
        if (!changed) return await pass(current, admitted, at + 1)
        const readmitted = await admit(changed)
        return 'status' in readmitted ? readmitted : await pass(changed, readmitted, at + 1)
      } catch (error) {
        return failureResult(tool.name, error)
      }
    }
    try {
      const context = { tool, args, signal, run }
      const result: unknown = await each(current, next, context)
      if (!isResult(result))
        throw middlewareError('returned no result. Return the result of next()')
      return result
    } catch (error) {
      return failureResult(tool.name, describeFailure(error, effect))
    } finally {
      isOver = true
    }
  }

  async function runOnce({ tool, run: start }: AdmittedCall): Promise<ExecuteResult> {
    if (!mayRepeat(tool)) {
      if (effect !== undefined)
        return failureResult(
          tool.name,
          middlewareError(`called next twice: ${effect} has already run, and is not run again`),
        )
      effect = tool.name
    }
    running++
    try {
      return await start()
    } finally {
      running--
    }
  }

  /** The run stops waiting for middleware that does not end after an abort. */
  function untilStuck(work: Promise<ExecuteResult>): Promise<ExecuteResult> {
    return new Promise((resolve) => {
      const giveUp = (): void => {
        const when = effect === undefined ? '' : `, and ${effect} had run`
        const error = middlewareError(`did not end when it was stopped${when}`)
        resolve(failureResult(first.tool.name, error))
      }
      // A running tool is abandoned at the same time, and the middleware then needs a moment to
      // end.
      let cancel = afterGrace(signal, () => {
        if (running === 0) giveUp()
        else cancel = afterGrace(signal, giveUp)
      })
      void work.then(resolve).finally(() => cancel())
    })
  }
}

/** The call passed on by middleware, if it differs. Its id and its trust stay the same. */
function changedCall(current: ToolCall, passed: ToolCall): ToolCall | undefined {
  const { name, args } = passed
  const same = args === current.args || canonicalJson(args) === canonicalJson(current.args)
  if (name === current.name && same) return undefined
  return { ...current, name, args: frozenCopy(args) as ToolCall['args'] }
}

function middlewareError(what: string): ToolError {
  return new ToolError('execution_failed', `A middleware ${what}.`, { code: 'middleware' })
}

/** Includes the effect before the failure in the message. */
function describeFailure(error: unknown, effect: string | undefined): unknown {
  const result = failureResult('', error)
  if (result.status !== 'error' || error instanceof ToolError) return error
  const when = effect === undefined ? '' : ` after ${effect} had run`
  const message = `A middleware failed${when}: ${result.failure.message}`
  return new ToolError('execution_failed', message, { code: 'middleware' })
}

function isResult(value: unknown): value is ExecuteResult {
  const { status, text, failure } = (value ?? {}) as Record<string, unknown>
  return status === 'success'
    ? typeof text === 'string'
    : status === 'error' && typeof failure === 'object' && failure !== null
}

const transparent = new WeakSet<Middleware>()

/** Marks middleware as neither changing nor hiding the results of tools. */
export function markTransparent(middleware: Middleware): Middleware {
  transparent.add(middleware)
  return middleware
}

/** True if middleware neither changes nor hides the results of tools. */
export function isTransparent(middleware: Middleware): boolean {
  return transparent.has(middleware)
}
