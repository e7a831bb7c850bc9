import { canonicalJson } from '@toolglot/permissions/internal'
import type { ExecuteResult } from '../tool/execute.ts'
import type { Middleware } from './registry.ts'

/** Options of `cacheResults`. */
export interface CacheOptions {
  /** How long a result is cached, in milliseconds. Default: 30 000. */
  readonly ttl?: number
  /** How many results are cached. Default: 200. */
  readonly maxEntries?: number
  /** The approximate size of all cached results. Default: 4 MiB. */
  readonly maxBytes?: number
  /** The clock, in milliseconds. Default: `Date.now`. */
  readonly now?: () => number
}

type Success = Extract<ExecuteResult, { status: 'success' }>

interface CachedResult {
  readonly callResult: Success
  readonly size: number
  readonly until: number
}

/**
 * Caches the results of read-only tools for the same call in the same run. The cache is cleared when any other tool starts
 * and when it ends. Add it last: it does not see how middleware after it changes calls.
 */
export function cacheResults({
  ttl = 30_000,
  maxEntries = 200,
  maxBytes = 4 << 20,
  now = Date.now,
}: CacheOptions = {}): Middleware {
  const cached = new Map<string, CachedResult>()
  let bytes = 0
  /** How often the cache was cleared: a result that was started before is stale. */
  let clears = 0

  function clear(): void {
    cached.clear()
    bytes = 0
    clears++
  }

  function forget(key: string): void {
    bytes -= cached.get(key)?.size ?? 0
    cached.delete(key)
  }

  function keep(key: string, callResult: Success): void {
    const size = sizeOf(key, callResult)
    if (size === undefined || size > maxBytes) return
    forget(key)
    cached.set(key, { callResult: copyOf(callResult), size, until: now() + ttl })
    bytes += size
    for (const oldest of cached.keys()) {
      if (cached.size <= maxEntries && bytes <= maxBytes) break
      forget(oldest)
    }
  }

  return async (call, next, { tool, run }) => {
    if (!tool.access.readOnly) {
      clear()
      try {
        return await next(call)
      } finally {
        clear()
      }
    }
    if (tool.repeatable) return next(call)
    const key = canonicalJson([run ?? null, call.name, call.args])
    const found = cached.get(key)
    if (found && now() < found.until) return copyOf(found.callResult)
    forget(key)
    const before = clears
    const callResult = await next(call)
    if (callResult.status === 'success' && clears === before) keep(key, callResult)
    return callResult
  }
}

/** The approximate size in bytes; undefined if the result is not data that can be cached. */
function sizeOf(key: string, { result, text }: Success): number | undefined {
  try {
    return 2 * (key.length + text.length + JSON.stringify(structuredClone(result) ?? null).length)
  } catch {
    return undefined
  }
}

/** A copy, so that a caller who changes it does not change the cache. */
function copyOf(callResult: Success): Success {
  return { ...callResult, result: structuredClone(callResult.result) }
}
