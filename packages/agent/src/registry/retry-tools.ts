import type { ExecuteResult } from '../tool/execute.ts'
import { mayRepeat } from '../tool/effects.ts'
import type { Middleware } from './registry.ts'

export interface RetryOptions {
  /** How often a call is tried again: 2 if not told, and never more. */
  readonly retries?: number
  /** What is waited before the first, at most, in milliseconds; twice that before each next. 250 if not told. */
  readonly delay?: number
  /** From 0 up to 1. */
  readonly random?: () => number
  readonly sleep?: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

const MAX = 2

/** Tries a call again that failed for a reason that may pass: a timeout, the network. Only of tools that may be repeated. */
export function retryTools({
  retries = MAX,
  delay = 250,
  random = Math.random,
  sleep = sleepFor,
}: RetryOptions = {}): Middleware {
  const most = Math.min(retries, MAX)
  return async (call, next, { tool, signal }) => {
    let outcome = await next(call)
    if (!mayRepeat(tool)) return outcome
    for (let tried = 0; tried < most && mayPass(outcome) && !signal.aborted; tried++) {
      // Half of it is left to chance, so that many who failed together do not come back together.
      await sleep(delay * 2 ** tried * (0.5 + random() / 2), signal)
      if (signal.aborted) break
      outcome = await next(call)
    }
    return outcome
  }
}

function mayPass(outcome: ExecuteResult): boolean {
  if (outcome.status === 'success') return false
  const { error_type, details } = outcome.failure
  return error_type === 'timeout' || details?.['code'] === 'network'
}

/** Ends when the signal does, too. */
function sleepFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, milliseconds)
    signal.addEventListener('abort', done, { once: true })
    function done(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
  })
}
