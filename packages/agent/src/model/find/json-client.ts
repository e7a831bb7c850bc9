import { timeLimit } from '../../time/time-limit.ts'
import { asObject } from '../as-object.ts'
import { readWholeText } from '../http/read-text.ts'

/** Requests a path (with a body: by POST) and returns the JSON object in the response; undefined for anything else. */
export type FetchJson = (
  path: string,
  body?: object,
) => Promise<Readonly<Record<string, unknown>> | undefined>

/** Limits of the requests of a JSON client. */
export interface JsonClientOptions {
  readonly fetch: typeof fetch
  /** For each response, in milliseconds. */
  readonly timeout: number
  readonly signal?: AbortSignal | undefined
}

/** Requests, and what became of them. */
export interface JsonClient {
  readonly fetchJson: FetchJson
  /** Whether there was any response. */
  readonly hasResponded: () => boolean
  /** Whether a response did not come in time. */
  readonly hasTimedOut: () => boolean
  /** Whether a response was denied for want of a valid key. */
  readonly isDenied: () => boolean
}

/** Sends requests to a server that may be anything: time and size are limited, and redirects are not followed. */
export function createJsonClient(
  url: string,
  { fetch, timeout, signal }: JsonClientOptions,
): JsonClient {
  let hasResponded = false
  let hasTimedOut = false
  let isDenied = false
  return {
    hasResponded: () => hasResponded,
    hasTimedOut: () => hasTimedOut,
    isDenied: () => isDenied,
    async fetchJson(path, body) {
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
        hasResponded = true
        isDenied ||= response.status === 401 || response.status === 403
        if (!response.ok) {
          await response.body?.cancel()
          return undefined
        }
        return asObject(JSON.parse(await readWholeText(response, MAX_BYTES)))
      } catch {
        // Nothing is listening, it is slow, or the response is too long, broken or not JSON.
        hasTimedOut ||= limit.signal.aborted && !signal?.aborted
        return undefined
      } finally {
        limit.end()
      }
    },
  }
}

const MAX_BYTES = 4 << 20
