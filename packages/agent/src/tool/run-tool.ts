import { type TimeLimit, timeLimit } from '../time/time-limit.ts'
import { unlessAborted } from '../time/unless-aborted.ts'
import { isInstance, safeGet } from '../result/safe-access.ts'
import type { ExecuteOptions, PreparedCall, ToolCall } from './execute.ts'
import { mayChange, mayRepeat } from './effects.ts'
import type { Tool, ToolContext } from './tool.ts'
import { ToolError } from './tool-error.ts'

/** In milliseconds. */
const DEFAULT_TIMEOUT = 120_000
/** How long a tool may take to end after it was aborted, in milliseconds. After that nobody waits for it. */
const GRACE_PERIOD = 2000

/** How long a tool may take; undefined if it waits for a person. */
export function timeoutOf(
  { timeout, waits }: Tool,
  fallback: number = DEFAULT_TIMEOUT,
): number | undefined {
  return timeout ?? (waits ? undefined : fallback)
}

/**
 * Runs a tool, and aborts it when the caller does or its time is up. What it returns or throws within the grace period
 * still counts, because its work is done.
 */
export async function runTool(
  tool: Tool,
  { args, paths, checks }: PreparedCall,
  call: ToolCall,
  { signal, run, onProgress, ask, begin, toolTimeout }: ExecuteOptions,
): Promise<unknown> {
  if (signal?.aborted) throw cancelled(call.name)
  if (!mayRepeat(tool)) await begin?.()
  // Recording the beginning takes time.
  if (signal?.aborted) throw cancelled(call.name)
  const timeout = timeoutOf(tool, toolTimeout)
  const limit = timeLimit(timeout, signal)
  const stop = limit.signal
  const context: ToolContext = {
    signal: stop,
    call: call.id,
    ...checks,
    ...(paths.length > 0 && { paths }),
    ...(run !== undefined && { run }),
    ...(ask && { ask }),
    progress: (update) => {
      if (!stop.aborted) onProgress?.(update)
    },
  }
  const grace = gracePeriod(stop)
  try {
    return await unlessAborted(grace.signal, (async () => tool.execute(args, context))())
  } catch (error) {
    if (!stop.aborted || !isAbort(error, stop)) throw error
    const isLate = !signal?.aborted
    if (mayChange(tool) && (error === STUCK || !isLate))
      throw interrupted(call.name, isLate ? timeout : undefined)
    throw isLate ? timedOut(call.name, timeout) : cancelled(call.name)
  } finally {
    grace.end()
    limit.end()
  }
}

/** Whether an error comes from the abort. Any other is a failure of the tool. */
function isAbort(error: unknown, { reason }: AbortSignal): boolean {
  if (error === STUCK || error === reason) return true
  return (
    isInstance(error, Error) &&
    !isInstance(error, ToolError) &&
    ABORT_ERRORS.has(safeGet(error, 'name'))
  )
}

const ABORT_ERRORS: ReadonlySet<unknown> = new Set(['AbortError', 'TimeoutError'])

function cancelled(name: string): ToolError {
  return new ToolError('execution_failed', `${name} was cancelled.`, { code: 'cancelled' })
}

function timedOut(name: string, timeout: number | undefined): ToolError {
  return new ToolError('timeout', `${name} was stopped after ${timeout} ms.`)
}

/** The tool may have changed something, and it is unknown whether it finished. `timeout`: it took longer than that. */
export function interrupted(name: string, timeout: number | undefined): ToolError {
  const [type, why] =
    timeout === undefined
      ? (['execution_failed', 'it was stopped while it ran'] as const)
      : (['timeout', `it did not end when it was stopped after ${timeout} ms`] as const)
  const message = `It is unknown whether ${name} finished: ${why}. Check the current state before you continue.`
  return new ToolError(type, message, { code: 'interrupted' })
}

const STUCK = new Error('It did not end.')

/** A limit that begins when a signal aborts: the time that work has to end after that. */
export function gracePeriod(stop: AbortSignal): TimeLimit {
  const controller = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const begin = (): void => {
    timer = setTimeout(() => controller.abort(STUCK), GRACE_PERIOD)
  }
  if (stop.aborted) begin()
  else stop.addEventListener('abort', begin, { once: true })
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer)
      stop.removeEventListener('abort', begin)
    },
  }
}
