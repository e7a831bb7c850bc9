import { canonicalJson } from '@toolglot/permissions/internal'
import type { ExecuteResult } from '../tool/execute.ts'
import type { Middleware } from './registry.ts'

export interface CacheOptions {
  /** How long a result counts, in milliseconds; 30 000 if not told. */
  readonly ttl?: number
  /** How many are kept; 200 if not told. */
  readonly maxEntries?: number
  /** How large all of them are, about; 4 MiB if not told. */
  readonly maxBytes?: number
  readonly now?: () => number
}

type Success = Extract<ExecuteResult, { status: 'success' }>

interface Kept {
  readonly outcome: Success
  readonly size: number
  readonly until: number
}

/**
 * Gives what a tool that only reads gave to the same call of the same run before. All is dropped when a tool that does
 * more than read begins, and when it ends. Use it last: what changes calls behind it is not seen here.
 */
export function cacheResults({
  ttl = 30_000,
  maxEntries = 200,
  maxBytes = 4 << 20,
  now = Date.now,
}: CacheOptions = {}): Middleware {
  const kept = new Map<string, Kept>()
  let bytes = 0
  /** How often all was dropped: what was begun before that is old. */
  let dropped = 0

  function drop(): void {
    kept.clear()
    bytes = 0
    dropped++
  }

  function forget(key: string): void {
    bytes -= kept.get(key)?.size ?? 0
    kept.delete(key)
  }

  function keep(key: string, outcome: Success): void {
    const size = sizeOf(key, outcome)
    if (size === undefined || size > maxBytes) return
    forget(key)
    kept.set(key, { outcome: copyOf(outcome), size, until: now() + ttl })
    bytes += size
    for (const oldest of kept.keys()) {
      if (kept.size <= maxEntries && bytes <= maxBytes) break
      forget(oldest)
    }
  }

  return async (call, next, { tool, run }) => {
    if (!tool.access.readOnly) {
      drop()
      try {
        return await next(call)
      } finally {
        drop()
      }
    }
    if (tool.repeatable) return next(call)
    const key = canonicalJson([run ?? null, call.name, call.args])
    const found = kept.get(key)
    if (found && now() < found.until) return copyOf(found.outcome)
    forget(key)
    const before = dropped
    const outcome = await next(call)
    if (outcome.status === 'success' && dropped === before) keep(key, outcome)
    return outcome
  }
}

/** In bytes, about; undefined: it is no data that can be kept. */
function sizeOf(key: string, { result, text }: Success): number | undefined {
  try {
    return 2 * (key.length + text.length + JSON.stringify(structuredClone(result) ?? null).length)
  } catch {
    return undefined
  }
}

/** Whoever changes what they were given changes it for themselves. */
function copyOf(outcome: Success): Success {
  return { ...outcome, result: structuredClone(outcome.result) }
}
