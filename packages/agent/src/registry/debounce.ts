import { canonicalJson } from '@toolglot/permissions/internal'
import type { ExecuteResult } from '../tool/execute.ts'
import { mayRepeat } from '../tool/effects.ts'
import { ToolError } from '../tool/tool-error.ts'
import type { Middleware } from './registry.ts'

export interface DebounceOptions {
  /** In milliseconds, from when the first call began; 250 if not told. */
  readonly wait?: number
  readonly now?: () => number
}

interface First {
  readonly outcome: Promise<ExecuteResult>
  readonly since: number
  over: boolean
}

/**
 * A call that comes again while the first is running, or soon after it began, gets the outcome of the first. Only for
 * tools that may be repeated; when a tool that changes something runs in between, each call is its own again.
 */
export function debounce({ wait = 250, now = Date.now }: DebounceOptions = {}): Middleware {
  const firsts = new Map<string, First>()

  function forgetOthers(key?: string): void {
    for (const other of firsts.keys()) if (other !== key) firsts.delete(other)
  }

  function forgetOld(): void {
    for (const [key, first] of firsts) if (!isNew(first)) firsts.delete(key)
  }

  function isNew({ over, since }: First): boolean {
    return !over || now() - since < wait
  }

  return async (call, next, { tool, run, signal }) => {
    const changes = !tool.access.readOnly
    const key = mayRepeat(tool) ? canonicalJson([run ?? null, call.name, call.args]) : undefined
    forgetOld()
    const first = key === undefined ? undefined : firsts.get(key)
    if (first) {
      const outcome = await unlessStopped(first.outcome, signal, tool.name)
      if (!wasStopped(outcome)) return outcome
    }
    if (changes) forgetOthers()
    const outcome = next(call)
    const own = { outcome, since: now(), over: false }
    if (key !== undefined) firsts.set(key, own)
    try {
      return await outcome
    } finally {
      own.over = true
      if (changes) forgetOthers(key)
    }
  }
}

/** The first was stopped by whoever called it; that is nothing to do with others. */
function wasStopped(outcome: ExecuteResult): boolean {
  if (outcome.status !== 'error' || outcome.failure.error_type === 'timeout') return false
  return ['cancelled', 'interrupted'].includes(outcome.failure.details?.['code'] as string)
}

function unlessStopped<Value>(
  value: Promise<Value>,
  signal: AbortSignal,
  tool: string,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = (): void =>
      reject(new ToolError('execution_failed', `${tool} was cancelled.`, { code: 'cancelled' }))
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
    void value.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
