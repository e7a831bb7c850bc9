import { timeLimit, unlessAborted } from '../time/time-limit.ts'
import { checkedArguments, type ExecuteOptions, type ToolCall, toSuccess } from './execute.ts'
import type { ExecuteResult } from './execute.ts'
import { findTool } from './alias-tools.ts'
import { timeoutOf } from './run-tool.ts'
import type { Verification } from './tool.ts'

/** The outcome of an interrupted call: its result, that it was not done, or unknown. */
export type Verified = ExecuteResult | Exclude<Verification['status'], 'done'>

/**
 * Finds out from the tool whether an interrupted call was done. The call was permitted then, and verifying it changes
 * nothing, so no person is asked again. After a failure the outcome stays unknown.
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
    // The service cannot be reached, or the arguments no longer fit the tool.
    return 'unknown'
  } finally {
    limit.end()
  }
}
