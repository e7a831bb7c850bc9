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

/** Options for `cacheResults`. */
export interface CacheOptions {
  /** The lifetime of a cached result, in milliseconds. Default: 30 000. */
  readonly ttl?: number | undefined
  /** The maximum number of cached results. Default: 200. */
  readonly maxEntries?: number | undefined
  /** The approximate maximum size of the cache, in bytes. Default: 4 MiB. */
  readonly maxBytes?: number | undefined
  /** Returns the current time in milliseconds. Default: `Date.now`. */
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
 * Caches the results of read-only tools for identical calls in the same run. The cache is cleared
 * when any other tool starts and when it ends. If such a tool is stopped but does not end, the run
 * caches nothing from then on. Add this middleware last, because it cannot see how later middleware
 * changes calls.
 */
export function cacheResults(options: CacheOptions = {}): Middleware {
  checkFields('the options of cacheResults', options, RULES)
  const { ttl = 30_000, maxEntries = 200, maxBytes = 4 << 20, now = Date.now } = options
  const cached = new Map<string, CachedResult>()
  let bytes = 0
  /**
   * The number of times the cache was cleared. Results of calls that started before the last clear
   * are stale.
   */
  let clears = 0
  /** The runs with a stopped tool that has not ended. Its later changes would go unnoticed. */
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
    // A different tool may have this name now.
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
 * Copies a result, so that a caller who changes it does not change the cache. Undefined if the
 * result is not JSON, because a copy of other values might be printed differently.
 */
function copyOf(callResult: Success): Success | undefined {
  const { result } = callResult
  try {
    return { ...callResult, result: result === undefined ? undefined : jsonCopy(result) }
  } catch {
    return undefined
  }
}
