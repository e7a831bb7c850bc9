import type { ApiAnswer } from '@toolglot/server/client'
import type { PastRun } from '../history/history.ts'

/** What the server says about a call. */
export type Execution = ApiAnswer<'POST /api/tools/execute'>

/** Types of failures of calls that were not allowed to run. */
const DENIED: ReadonlySet<string | undefined> = new Set(['permission_denied', 'tool_disabled'])

/** How a call ended, as the server said it. Its duration and when it began are known here only. */
export function outcomeOf(
  { success, result, exit_code: exitCode }: Omit<Execution, 'approval'>,
  isStopped: boolean,
): Pick<PastRun, 'status' | 'text' | 'errorType' | 'exitCode'> {
  if (success) return { status: 'success', text: result, exitCode }
  // A failure begins with its type; what a command wrote does not.
  const [, errorType, message] =
    exitCode === null ? (/^([a-z_]{1,40}): ([^]*)$/.exec(result) ?? []) : []
  const status = isStopped ? 'stopped' : DENIED.has(errorType) ? 'denied' : 'error'
  if (errorType === undefined) return { status, text: result, exitCode }
  return { status, text: message!, errorType, exitCode }
}
