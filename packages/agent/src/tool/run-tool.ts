import { type TimeLimit, timeLimit } from '../time/time-limit.ts'
import { isInstance, safeGet } from '../result/safe-access.ts'
import type { ExecuteOptions, PreparedCall, ToolCall } from './execute.ts'
import { mayRepeat } from './effects.ts'
import type { Tool, ToolContext } from './tool.ts'
import { ToolError } from './tool-error.ts'

/** In milliseconds. */
const TIMEOUT = 120_000
/** How long a tool may take to end after it was stopped; then nobody waits for it any more. In milliseconds. */
const GRACE = 2000

/** How long a tool may take; undefined where it waits for somebody. */
export function timeoutOf({ timeout, waits }: Tool, usual: number = TIMEOUT): number | undefined {
  return timeout ?? (waits ? undefined : usual)
}

/**
 * Runs a tool until it ends, and tells it to stop when somebody wants that or its time is over. What it gives or fails with
 * in the time that it has to end then is what became of it: its work is done.
 */
export async function runTool(
  tool: Tool,
  { args, paths, checks }: PreparedCall,
  call: ToolCall,
  { signal, run, onProgress, ask, begin, toolTimeout }: ExecuteOptions,
): Promise<unknown> {
  if (signal?.aborted) throw cancelled(call.name)
  if (!mayRepeat(tool)) await begin?.()
  // To record that it begins takes its time.
  if (signal?.aborted) throw cancelled(call.name)
  const time = timeoutOf(tool, toolTimeout)
  const limit = timeLimit(time, signal)
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
  try {
    return await unlessStuck(async () => tool.execute(args, context), stop)
  } catch (error) {
    if (!stop.aborted || !isStopped(error, stop)) throw error
    const isLate = !signal?.aborted
    if (mayChange(tool) && (error === STUCK || !isLate))
      throw interrupted(call.name, isLate ? time : undefined)
    throw isLate ? timedOut(call.name, time) : cancelled(call.name)
  } finally {
    limit.end()
  }
}

export function mayChange({ access }: Tool): boolean {
  return !access.readOnly && !access.harmless
}

/** Whether something was thrown because of the stop. Any other failure is the tool's own. */
function isStopped(error: unknown, { reason }: AbortSignal): boolean {
  if (error === STUCK || error === reason) return true
  return isInstance(error, Error) && !isInstance(error, ToolError) && STOPPED.has(safeGet(error, 'name'))
}

const STOPPED: ReadonlySet<unknown> = new Set(['AbortError', 'TimeoutError'])

function cancelled(name: string): ToolError {
  return new ToolError('execution_failed', `${name} was cancelled.`, { code: 'cancelled' })
}

function timedOut(name: string, time: number | undefined): ToolError {
  return new ToolError('timeout', `${name} was stopped after ${time} ms.`)
}

/** It was begun and may have changed something, and it is not known how far it came. `time`: that was over. */
export function interrupted(name: string, time: number | undefined): ToolError {
  const [type, why] =
    time === undefined
      ? (['execution_failed', 'it was stopped in the middle of it'] as const)
      : (['timeout', `it was told to stop after ${time} ms, and did not end`] as const)
  const message = `It is not known whether ${name} did its work: ${why}. Look at what is there before you go on.`
  return new ToolError(type, message, { code: 'interrupted' })
}

/** What is waited for no longer. */
const STUCK = new Error('It did not end.')

/** What some work gives; rejects if it does not end in the time that it has after it was told to. */
function unlessStuck<Value>(work: () => Promise<Value>, stop: AbortSignal): Promise<Value> {
  const grace = gracePeriod(stop)
  return new Promise((resolve, reject) => {
    grace.signal.addEventListener('abort', () => reject(STUCK), { once: true })
    work().then(resolve, reject).finally(grace.end)
  })
}

/** The time that work has to end after it was stopped, as a limit that begins then. */
export function gracePeriod(stop: AbortSignal): TimeLimit {
  const over = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const begin = (): void => {
    timer = setTimeout(() => over.abort(), GRACE)
  }
  if (stop.aborted) begin()
  else stop.addEventListener('abort', begin, { once: true })
  return {
    signal: over.signal,
    end() {
      clearTimeout(timer)
      stop.removeEventListener('abort', begin)
    },
  }
}
