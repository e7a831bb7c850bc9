import { checkFields } from '../options/check-fields.ts'
import { delayRule, type FieldRules, functionRule, wholeNumber } from '../options/rule.ts'
import type { ExecuteResult } from '../tool/execute.ts'
import { pause } from '../time/time-limit.ts'
import { mayRepeat, type Tool } from '../tool/tool.ts'
import { markTransparent } from '../tool/run-middleware.ts'
import type { Middleware } from './registry.ts'

/** Options for `retryTools`. */
export interface RetryOptions {
  /** The maximum number of retries per call. Default and maximum: 2. */
  readonly retries?: number | undefined
  /**
   * The maximum delay before the first retry, in milliseconds. It doubles for each further retry.
   * Default: 250.
   */
  readonly delay?: number | undefined
  /** Returns a number from 0 up to, but excluding, 1. Default: `Math.random`. */
  readonly random?: (() => number) | undefined
  /** Waits. Resolves early if the signal is aborted. */
  readonly sleep?: ((milliseconds: number, signal: AbortSignal) => Promise<void>) | undefined
}

const RULES: FieldRules<RetryOptions> = {
  retries: wholeNumber,
  delay: delayRule,
  random: functionRule,
  sleep: functionRule,
}

const MAX_RETRIES = 2

/**
 * Retries calls that failed with a transient error, which means a timeout or a network error.
 * Applies only to tools that are read-only or idempotent, and only after they have ended.
 */
export function retryTools(options: RetryOptions = {}): Middleware {
  checkFields('the options of retryTools', options, RULES)
  const { retries = MAX_RETRIES, delay = 250, random = Math.random, sleep = sleepFor } = options
  const maxRetries = Math.min(retries, MAX_RETRIES)
  return markTransparent(async (call, next, { tool, signal }) => {
    let callResult = await next(call)
    if (!mayRepeat(tool)) return callResult
    for (let tried = 0; tried < maxRetries && !signal.aborted; tried++) {
      if (!isTransient(callResult, tool)) break
      // Jitter, so that calls that failed at the same time are not retried at the same time.
      await sleep(delay * 2 ** tried * (0.5 + random() / 2), signal)
      if (signal.aborted) break
      callResult = await next(call)
    }
    return callResult
  })
}

function isTransient(callResult: ExecuteResult, { access }: Tool): boolean {
  if (callResult.status === 'success') return false
  const { error_type, details } = callResult.failure
  // The tool is still running and may still change something.
  if (details?.['code'] === 'interrupted' && !access.readOnly) return false
  return error_type === 'timeout' || details?.['code'] === 'network'
}

function sleepFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  return pause(milliseconds, signal).catch(() => undefined)
}
