import { timeLimit } from '../time-limit.ts'
import { isA } from '../result/look.ts'
import type { ExecuteOptions, Ready, ToolCall } from './execute.ts'
import { mayRepeat } from './may-repeat.ts'
import type { Tool } from './tool.ts'
import { ToolError } from './tool-error.ts'

/** In milliseconds. */
const TIMEOUT = 120_000
/** How long a tool may take to end what it began; then nobody waits for it any more. */
const GRACE = 2000

/** How long a tool may take; undefined where it waits for somebody. */
export function timeFor({ timeout, waits }: Tool, usual: number = TIMEOUT): number | undefined {
  return timeout ?? (waits ? undefined : usual)
}

/** Runs a tool until it is done, is stopped, or its time is over. What it gives after that is not used. */
export async function runTool(
  found: Tool,
  { args, paths, checks }: Ready,
  call: ToolCall,
  { signal, run, onProgress, ask, begin, toolTimeout }: ExecuteOptions,
): Promise<unknown> {
  const time = timeFor(found, toolTimeout)
  const limit = timeLimit(time, signal)
  const stop = limit.signal
  try {
    stop.throwIfAborted()
    if (!mayRepeat(found)) await begin?.()
    const context = {
      signal: stop,
      call: call.id,
      ...checks,
      ...(paths.length > 0 && { paths }),
      ...(run !== undefined && { run }),
      ...(ask && { ask }),
      progress: (update: Parameters<typeof onProgress & {}>[0]) => {
        if (!stop.aborted) onProgress?.(update)
      },
    }
    const result = await unlessStuck(async () => found.execute(args, context), stop)
    stop.throwIfAborted()
    return result
  } catch (error) {
    if (!stop.aborted || isA(error, ToolError)) throw error
    throw !signal?.aborted
      ? new ToolError('timeout', `${found.name} was stopped after ${time} ms.`)
      : new ToolError('execution_failed', `${found.name} was cancelled.`, { code: 'cancelled' })
  } finally {
    limit.end()
  }
}

/** What some work gives; rejects if it does not end although it was told to. */
function unlessStuck<Value>(work: () => Promise<Value>, stop: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const giveUp = (): void => {
      timer = setTimeout(() => reject(stop.reason as Error), GRACE)
    }
    stop.addEventListener('abort', giveUp, { once: true })
    const over = (): void => {
      clearTimeout(timer)
      stop.removeEventListener('abort', giveUp)
    }
    work().then(resolve, reject).finally(over)
  })
}
