import { timeLimit } from '../../time/time-limit.ts'
import { readAll } from '../read-text.ts'

/** What a server answers to a path: JSON, an object; undefined where it is anything else. */
export type Ask = (
  path: string,
  body?: object,
) => Promise<Readonly<Record<string, unknown>> | undefined>

export interface AskOptions {
  readonly fetch: typeof fetch
  /** For each answer, in milliseconds. */
  readonly timeout: number
  readonly signal?: AbortSignal | undefined
}

/** Asks a server. It waits and reads no more than told: what listens on a port may be anyone. */
export function askAt(
  url: string,
  { fetch, timeout, signal }: AskOptions,
): { ask: Ask; isThere: () => boolean; isSilent: () => boolean } {
  let isThere = false
  let isSilent = false
  return {
    /** Whether anything answered. */
    isThere: () => isThere,
    /** Whether an answer did not come in time. */
    isSilent: () => isSilent,
    async ask(path, body) {
      const limit = timeLimit(timeout, signal)
      try {
        limit.signal.throwIfAborted()
        const response = await fetch(`${url}${path}`, {
          ...(body && {
            method: 'POST',
            body: JSON.stringify(body),
            headers: { 'content-type': 'application/json' },
          }),
          redirect: 'manual',
          signal: limit.signal,
        })
        isThere = true
        if (!response.ok) {
          await response.body?.cancel()
          return undefined
        }
        const value = JSON.parse(await readAll(response, LONGEST)) as unknown
        return typeof value === 'object' && value !== null && !Array.isArray(value)
          ? (value as Record<string, unknown>)
          : undefined
      } catch {
        // Nothing listens, it is slow, or what it says is long, broken or no JSON.
        isSilent ||= limit.signal.aborted && !signal?.aborted
        return undefined
      } finally {
        limit.end()
      }
    },
  }
}

const LONGEST = 4 << 20
