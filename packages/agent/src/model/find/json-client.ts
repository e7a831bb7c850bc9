import { timeLimit } from '../../time/time-limit.ts'
import { asObject } from '../as-object.ts'
import { readWholeText } from '../http/read-text.ts'
import { ModelError } from '../model-error.ts'

/**
 * Requests a path, using POST if there is a body. Resolves to the JSON object in the response, or
 * undefined for any other outcome.
 */
export type FetchJson = (
  path: string,
  body?: object,
) => Promise<Readonly<Record<string, unknown>> | undefined>

/** Options for a JSON client. */
interface JsonClientOptions {
  readonly fetch: typeof fetch
  /** The timeout for each response, in milliseconds. */
  readonly timeout: number
  readonly signal?: AbortSignal | undefined
}

/** A JSON client and the outcomes of its requests. */
interface JsonClient {
  readonly fetchJson: FetchJson
  /** Returns true if there was any response. */
  readonly hasResponded: () => boolean
  /** Returns true if a request timed out. */
  readonly hasTimedOut: () => boolean
  /** Returns true if a request was denied because there was no valid key. */
  readonly isDenied: () => boolean
}

/**
 * Sends requests to an unknown server, with limits on time and size and without following
 * redirects.
 */
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
        // No server is listening, it is slow, or the response is too long, incomplete or not JSON.
        hasTimedOut ||= limit.signal.aborted && !signal?.aborted
        return undefined
      } finally {
        limit.end()
      }
    },
  }
}

const MAX_BYTES = 4 << 20

/** A server that may be able to count tokens. */
interface TokenServer {
  /** The server's name for display. */
  readonly name: string
  readonly url: string
  readonly fetch: typeof fetch
  readonly count: ((fetchJson: FetchJson) => Promise<number | undefined> | undefined) | undefined
}

/** Counts tokens on a server. Throws a ModelError if the server cannot count. */
export async function countTokens(
  { name, url, fetch, count }: TokenServer,
  signal: AbortSignal | undefined,
): Promise<number> {
  const { fetchJson } = createJsonClient(url, { fetch, timeout: 10_000, signal })
  const tokens = await count?.(fetchJson)
  signal?.throwIfAborted()
  if (tokens !== undefined) return tokens
  throw new ModelError('unavailable', `${name} does not support counting tokens.`)
}

/** Sends a key with every request. */
export function withKey(
  fetch: typeof globalThis.fetch,
  key: string | undefined,
): typeof globalThis.fetch {
  const secret = key?.trim()
  if (!secret) return fetch
  return (input, init) => {
    const headers = new Headers(init?.headers)
    headers.set('authorization', `Bearer ${secret}`)
    return fetch(input, { ...init, headers })
  }
}
