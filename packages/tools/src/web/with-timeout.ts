import { ToolError } from '@toolglot/agent'
import { timeLimit } from '@toolglot/agent/internal'

/** Runs an operation and aborts it after a timeout. */
export async function withTimeout<Result>(
  signal: AbortSignal,
  timeout: number,
  what: string,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const limit = timeLimit(timeout, signal)
  try {
    return await work(limit.signal)
  } catch (error) {
    signal.throwIfAborted()
    if (!limit.signal.aborted || error instanceof ToolError) throw error
    throw new ToolError(
      'timeout',
      `${what} took longer than ${timeout / 1000} seconds. Try again later, or use another source.`,
      { code: 'slow' },
    )
  } finally {
    limit.end()
  }
}
