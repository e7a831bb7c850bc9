import type { ExecuteResult } from '../tool/execute.ts'
import { pause } from '../time/pause.ts'
import { mayRepeat } from '../tool/effects.ts'
import type { Middleware } from './registry.ts'

/** Options of `retryTools`. */
export interface RetryOptions {
  /** How many times a call is retried. Default and maximum: 2. */
  readonly retries?: number
  /** The maximum delay before the first retry, in milliseconds; it doubles for each further retry. Default: 250. */
  readonly delay?: number
  /** Returns a number from 0 up to 1. Default: `Math.random`. */
  readonly random?: () => number
  /** Waits, and resolves early if the signal aborts. */
  readonly sleep?: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

const MAX_RETRIES = 2

/** Retries calls that failed with a transient error: a timeout or the network. It applies to repeatable tools only. */
export function retryTools({
  retries = MAX_RETRIES,
  delay = 250,
  random = Math.random,
  sleep = sleepFor,
}: RetryOptions = {}): Middleware {
  const maxRetries = Math.min(retries, MAX_RETRIES)
  return async (call, next, { tool, signal }) => {
    let callResult = await next(call)
    if (!mayRepeat(tool)) return callResult
    for (let tried = 0; tried < maxRetries && isTransient(callResult) && !signal.aborted; tried++) {
      // Jitter, so that calls that failed together are not retried together.
      await sleep(delay * 2 ** tried * (0.5 + random() / 2), signal)
      if (signal.aborted) break
      callResult = await next(call)
    }
    return callResult
  }
}

function isTransient(callResult: ExecuteResult): boolean {
  if (callResult.status === 'success') return false
  const { error_type, details } = callResult.failure
  return error_type === 'timeout' || details?.['code'] === 'network'
}

function sleepFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  return pause(milliseconds, signal).catch(() => undefined)
}
