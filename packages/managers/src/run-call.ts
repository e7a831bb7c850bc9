import { mustBe } from '@toolglot/permissions/errors/internal'
import {
  type AnyTool,
  type CallOptions,
  collect,
  cycle,
  type ExecuteResult,
  ToolError,
  type ToolFailure,
} from '@toolglot/agent'
import { causeOf, isObject } from '@toolglot/agent/internal'
import type { Middleware, Registry } from '@toolglot/agent/registry'
import { PTKErrorCode, PTKExecutionError, type PTKTool, type PTKToolCall } from './ptk/types.ts'

/** The results that callers need, by the id of the call. */
const results = new Map<string, ExecuteResult | undefined>()

/**
 * The outermost middleware. It stores a tool's return value, which an outcome contains only as
 * text.
 */
export const keepResult: Middleware = async ({ id }, next) => {
  const result = await next()
  if (results.has(id)) results.set(id, result)
  return result
}

/**
 * Checks and runs a call, and returns the tool's return value. Throws a PTKExecutionError if the
 * call is denied or fails.
 */
export async function runCall(
  options: CallOptions & { readonly registry: Registry },
  { tool: name, args }: PTKToolCall,
  signal: AbortSignal = new AbortController().signal,
): Promise<unknown> {
  const id = crypto.randomUUID()
  results.set(id, undefined)
  try {
    const reply = { calls: [{ id, name, args }] }
    const { calls } = await collect(cycle({ ...options, reply, signal }))
    const { failure, data, text } = calls[0]!.outcome
    const result = results.get(id)
    if (failure) throw errorOf(result?.status === 'error' ? result.failure : failure)
    return result?.status === 'success' ? result.result : (data ?? text)
  } catch (error) {
    if (!signal.aborted || error instanceof PTKExecutionError) throw error
    throw toFailure(error, PTKErrorCode.ABORTED)
  } finally {
    results.delete(id)
  }
}

/** Converts a program's tool for `run` and `cycle`. */
export function agentTool(tool: PTKTool | AnyTool): AnyTool {
  if (!isObject(tool)) return tool as AnyTool
  if (isAnyTool(tool)) {
    const execute: AnyTool['execute'] = (args, context) =>
      inTime(tool.name, context.signal, tool.execute(args, context))
    return typeof tool.execute === 'function' ? { ...tool, execute } : tool
  }
  const { handler } = tool as PTKTool
  if (typeof handler !== 'function')
    throw new TypeError(mustBe(`the handler of ${tool.name}`, 'a function', handler))
  const execute: AnyTool['execute'] = (args, { signal }) =>
    inTime(tool.name, signal, handler(args as PTKToolCall['args'], signal))
  return { ...tool, execute }
}

function isAnyTool(tool: PTKTool | AnyTool): tool is AnyTool {
  const { handler, execute } = tool as Partial<PTKTool & AnyTool>
  return handler === undefined && execute !== undefined
}

/** The result of a tool. A result after the timeout is dropped, as if the tool had never ended. */
export async function inTime(name: string, signal: AbortSignal, result: unknown): Promise<unknown> {
  const ended = await result
  const { name: reason } = Object(signal.reason) as Partial<Error>
  if (!signal.aborted || reason !== 'TimeoutError') return ended
  const message = `${name} ended after its timeout, so its result was dropped. Check the current state before you continue.`
  throw new ToolError('timeout', message, { code: 'late' })
}

/** The error for a failed call. */
export function errorOf(failure: ToolFailure): PTKExecutionError {
  const { tool, error_type, message, details } = failure
  const [text, code] =
    details?.['code'] === 'unknown_tool'
      ? [`Tool not found: ${tool}`, PTKErrorCode.TOOL_NOT_FOUND]
      : error_type === 'invalid_input'
        ? [`Invalid tool call: ${message}`, PTKErrorCode.INVALID_TOOL_CALL]
        : [message, PTKErrorCode.TOOL_EXECUTION_FAILED]
  return new PTKExecutionError(text, code, failure, { cause: causeOf(failure) })
}

/** Converts a thrown value to an error with a code. */
export function toFailure(error: unknown, code: PTKErrorCode, context?: object): PTKExecutionError {
  if (error instanceof PTKExecutionError && code !== PTKErrorCode.ABORTED) return error
  const message = error instanceof Error ? error.message : String(error)
  return new PTKExecutionError(message, code, context, { cause: error })
}
