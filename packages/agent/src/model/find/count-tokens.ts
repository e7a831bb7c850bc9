import { ModelError } from '../model-error.ts'
import { createJsonClient, type FetchJson } from './json-client.ts'

/** A server that may count tokens. */
interface TokenServer {
  /** How people know it. */
  readonly name: string
  readonly url: string
  readonly fetch: typeof fetch
  readonly count: ((fetchJson: FetchJson) => Promise<number | undefined> | undefined) | undefined
}

/** Lets a server count tokens. Throws a ModelError if it cannot. */
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
