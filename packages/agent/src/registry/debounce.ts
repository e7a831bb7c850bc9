import { canonicalJson } from '@toolglot/permissions/internal'
import { checkFields } from '../options/check-fields.ts'
import { delayRule, type FieldRules, functionRule } from '../options/rule.ts'
import type { ExecuteResult } from '../tool/execute.ts'
import { unlessAborted } from '../time/time-limit.ts'
import { mayRepeat } from '../tool/tool.ts'
import { ToolError } from '../tool/tool-error.ts'
import type { Middleware } from './registry.ts'

/** Options for `debounce`. */
export interface DebounceOptions {
  /**
   * The time after the start of a call during which repetitions share its result, in milliseconds.
   * Default: 250.
   */
  readonly wait?: number | undefined
  /** Returns the current time in milliseconds. Default: `Date.now`. */
  readonly now?: (() => number) | undefined
}

const RULES: FieldRules<DebounceOptions> = { wait: delayRule, now: functionRule }

interface FirstCall {
  readonly callResult: Promise<ExecuteResult>
  readonly since: number
  over: boolean
}

/**
 * Shares the result of a call with repetitions of it that start while it runs or soon after it
 * started. Applies only to repeatable tools, and only until a tool that changes something runs.
 */
export function debounce(options: DebounceOptions = {}): Middleware {
  checkFields('the options of debounce', options, RULES)
  const { wait = 250, now = Date.now } = options
  const firsts = new Map<string, FirstCall>()

  function forgetOthers(key?: string): void {
    for (const other of firsts.keys()) if (other !== key) firsts.delete(other)
  }

  function forgetOld(): void {
    for (const [key, first] of firsts) if (!isNew(first)) firsts.delete(key)
  }

  function isNew({ over, since }: FirstCall): boolean {
    return !over || now() - since < wait
  }

  return async (call, next, { tool, run, signal }) => {
    const changes = !tool.access.readOnly
    const key = mayRepeat(tool) ? canonicalJson([run ?? null, call.name, call.args]) : undefined
    forgetOld()
    const first = key === undefined ? undefined : firsts.get(key)
    if (first) {
      const callResult = await unlessAborted(signal, first.callResult).catch((error: unknown) => {
        throw signal.aborted ? cancelled(tool.name) : error
      })
      if (!wasStopped(callResult)) return callResult
    }
    if (changes) forgetOthers()
    const callResult = next(call)
    const own = { callResult, since: now(), over: false }
    if (key !== undefined) firsts.set(key, own)
    try {
      return await callResult
    } finally {
      own.over = true
      if (changes) forgetOthers(key)
    }
  }
}

/** True if the caller of the first call stopped it, which must not affect other callers. */
function wasStopped(callResult: ExecuteResult): boolean {
  if (callResult.status !== 'error' || callResult.failure.error_type === 'timeout') return false
  return ['cancelled', 'interrupted'].includes(callResult.failure.details?.['code'] as string)
}

function cancelled(tool: string): ToolError {
  return new ToolError('execution_failed', `${tool} was cancelled.`, { code: 'cancelled' })
}
