import { canonicalJson } from '@toolglot/permissions/internal'
import { checkFields } from '../options/check-fields.ts'
import {
  type FieldRules,
  functionRule,
  milliseconds,
  orInfinity,
  positiveInteger,
} from '../options/rule.ts'
import type { ExecuteResult } from '../tool/execute.ts'
import { jsonCopy } from '../tool/data-copy.ts'
import type { Tool } from '../tool/tool.ts'
import { markTransparent } from '../tool/run-middleware.ts'
import type { Middleware } from './registry.ts'

/** Options of `cacheResults`. */
export interface CacheOptions {
  /** The time in milliseconds for which a result is cached. Default: 30 000. */
  readonly ttl?: number | undefined
  /** The maximum number of cached results. Default: 200. */
  readonly maxEntries?: number | undefined
  /** The approximate size of all cached results. Default: 4 MiB. */
  readonly maxBytes?: number | undefined
  /** The clock, in milliseconds. Default: `Date.now`. */
  readonly now?: (() => number) | undefined
}

type Success = Extract<ExecuteResult, { status: 'success' }>

const RULES: FieldRules<CacheOptions> = {
  ttl: orInfinity(milliseconds),
  maxEntries: orInfinity(positiveInteger),
  maxBytes: orInfinity(positiveInteger),
  now: functionRule,
}

interface CachedResult {
  readonly tool: Tool
  readonly callResult: Success
  readonly size: number
  readonly until: number
}

/**
 * Caches the results of read-only tools for the same call in the same run. The cache is cleared when any other tool starts
 * and when it ends; after one that was stopped and did not end, the run caches nothing. Add it last: it does not see how
 * middleware after it changes calls.
 */
export function cacheResults(options: CacheOptions = {}): Middleware {
  checkFields('the options of cacheResults', options, RULES)
  const { ttl = 30_000, maxEntries = 200, maxBytes = 4 << 20, now = Date.now } = options
  const cached = new Map<string, CachedResult>()
  let bytes = 0
  /** The number of times the cache was cleared: results of calls that started before are stale. */
  let clears = 0
  /** The runs with a stopped tool that did not end: its later changes are not noticed. */
  const unsettled = new Set<string | undefined>()

  function clear(): void {
    cached.clear()
    bytes = 0
    clears++
  }

  function forget(key: string): void {
    bytes -= cached.get(key)?.size ?? 0
    cached.delete(key)
  }

  function keep(key: string, tool: Tool, given: Success): void {
    const callResult = copyOf(given)
    if (!callResult) return
    const size = sizeOf(key, callResult)
    if (size > maxBytes) return
    forget(key)
    cached.set(key, { tool, callResult, size, until: now() + ttl })
    bytes += size
    for (const oldest of cached.keys()) {
      if (cached.size <= maxEntries && bytes <= maxBytes) break
      forget(oldest)
    }
  }

  return markTransparent(async (call, next, { tool, args, run }) => {
    if (!tool.access.readOnly) {
      clear()
      try {
        const callResult = await next(call)
        if (isStillRunning(callResult)) unsettled.add(run)
        return callResult
      } finally {
        clear()
      }
    }
    if (tool.repeatable || unsettled.has(run)) return next(call)
    const key = canonicalJson([run ?? null, call.name, args])
    const found = cached.get(key)
    // Another tool may have this name now.
    const copy = found?.tool === tool && now() < found.until ? copyOf(found.callResult) : undefined
    if (copy) return copy
    forget(key)
    const before = clears
    const callResult = await next(call)
    if (callResult.status === 'success' && clears === before) keep(key, tool, callResult)
    return callResult
  })
}

function isStillRunning(callResult: ExecuteResult): boolean {
  return callResult.status === 'error' && callResult.failure.details?.['code'] === 'interrupted'
}

/** The approximate size in bytes. */
function sizeOf(key: string, { result, text }: Success): number {
  return 2 * (key.length + text.length + (JSON.stringify(result) ?? '').length)
}

/**
 * A copy, so that a caller who changes it does not change the cache. Undefined if the result is not JSON: the copy of
 * anything else might be printed in another way.
 */
function copyOf(callResult: Success): Success | undefined {
  const { result } = callResult
  try {
    return { ...callResult, result: result === undefined ? undefined : jsonCopy(result) }
  } catch {
    return undefined
  }
}
