import { timeLimit } from '../../time/time-limit.ts'
import { asObject } from '../as-object.ts'
import { readWholeText } from '../http/read-text.ts'
import { ModelError } from '../model-error.ts'

/** Requests a path (with a body: by POST) and returns the JSON object in the response; undefined for anything else. */
export type FetchJson = (
  path: string,
  body?: object,
) => Promise<Readonly<Record<string, unknown>> | undefined>

/** Limits of the requests of a JSON client. */
interface JsonClientOptions {
  readonly fetch: typeof fetch
  /** For each response, in milliseconds. */
  readonly timeout: number
  readonly signal?: AbortSignal | undefined
}

/** Requests and their outcomes. */
interface JsonClient {
  readonly fetchJson: FetchJson
  /** Whether there was any response. */
  readonly hasResponded: () => boolean
  /** Whether a request timed out. */
  readonly hasTimedOut: () => boolean
  /** Whether a request was denied for lack of a valid key. */
  readonly isDenied: () => boolean
}

/** Sends requests to an unknown server, with limited time and size and without following redirects. */
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

/** A server that may count tokens. */
interface TokenServer {
  /** Its name, for people. */
  readonly name: string
  readonly url: string
  readonly fetch: typeof fetch
  readonly count: ((fetchJson: FetchJson) => Promise<number | undefined> | undefined) | undefined
}

/** Counts tokens on a server. Throws a ModelError if the server cannot. */
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
