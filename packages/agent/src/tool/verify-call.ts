import { timeLimit, unlessAborted } from '../time/time-limit.ts'
import { checkedArguments, type ExecuteOptions, type ToolCall, toSuccess } from './execute.ts'
import type { ExecuteResult } from './execute.ts'
import { findTool } from './alias-tools.ts'
import { timeoutOf } from './run-tool.ts'
import type { Verification } from './tool.ts'

/** The outcome of an interrupted call: its result, `not-done`, or `unknown`. */
export type Verified = ExecuteResult | Exclude<Verification['status'], 'done'>

/**
 * Asks the tool if an interrupted call was done. The call was permitted then, and checking changes
 * nothing, so no approval is needed. After a failure, the outcome stays unknown.
 */
export async function verifyCall(call: ToolCall, options: ExecuteOptions): Promise<Verified> {
  const { tools, permissions, run, idempotencyKey, toolTimeout } = options
  const found = findTool(call.name, tools, permissions.tools)
  if (!found?.tool.verify) return 'unknown'
  const { tool } = found
  const limit = timeLimit(timeoutOf(tool, toolTimeout), options.signal)
  const { signal } = limit
  try {
    const { args } = await checkedArguments(call, found, options)
    const verifying = tool.verify!(args, {
      signal,
      call: call.id,
      run,
      idempotencyKey,
    })
    const verified = await unlessAborted(signal, Promise.resolve(verifying))
    if (verified.status === 'done')
      return await toSuccess(call, found, verified.result, args, options)
    return verified.status === 'not-done' ? 'not-done' : 'unknown'
  } catch {
    // The service is unreachable, or the arguments no longer match the tool.
    return 'unknown'
  } finally {
    limit.end()
  }
}
