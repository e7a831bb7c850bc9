import { ToolError } from '@toolglot/agent'
import type { z } from 'zod'
import type { Web, WebRequest, WebResponse } from '../host/web.ts'

/** A search engine. */
export interface SearchProvider {
  /** The provider's name for display. */
  readonly name: string
  /** Returns results, best first. Failures are `ToolError`s. */
  search(query: SearchQuery, options: SearchOptions): Promise<readonly SearchResult[]>
}

/** The query of a web search. */
export interface SearchQuery {
  readonly query: string
  /** Domains to include or exclude; at most one of the lists is non-empty. A provider may ignore them. */
  readonly allowed: readonly string[]
  readonly blocked: readonly string[]
  readonly maxResults: number
}

/** The context of a search. */
interface SearchOptions {
  readonly web: Web
  readonly signal: AbortSignal
}

/** A search result. */
export interface SearchResult {
  readonly title: string
  readonly url: string
  readonly snippet: string
}

/** A request to a search provider. */
interface ProviderRequest extends Pick<WebRequest, 'method' | 'headers' | 'body'> {
  /** The name of the provider. */
  readonly name: string
  /** Explanations for status codes with a special meaning. */
  readonly hints?: Readonly<Record<number, string>>
}

/**
 * Sends a request to a search provider. Its URL comes from the user's own options, so any address
 * is permitted, including this machine; its answer is still untrusted.
 */
export async function askProvider<Answer>(
  url: URL,
  schema: z.ZodType<Answer>,
  { name, hints = {}, headers, ...request }: ProviderRequest,
  { web, signal }: SearchOptions,
): Promise<Answer> {
  const response = await web.request(url, {
    ...request,
    headers: { accept: 'application/json', ...headers },
    signal,
    maxBytes: 5_000_000,
    permit: () => {},
  })
  if (response.status !== 200) throw statusError(name, response.status, hints)
  const answer = schema.safeParse(parseJson(response))
  if (answer.success) return answer.data
  throw new ToolError(
    'execution_failed',
    `${name} did not return a list of results. Check its URL in the settings, or use another provider.`,
    { code: 'provider_answer' },
  )
}

function statusError(
  name: string,
  status: number,
  hints: ProviderRequest['hints'] = {},
): ToolError {
  const hint =
    hints[status] ??
    (status === 401 || status === 403
      ? 'The API key was rejected: ask the user to check it.'
      : status === 429
        ? 'Too many requests: wait a while before the next search.'
        : 'Try again later, or use another provider.')
  return new ToolError('execution_failed', `${name} returned status ${status}. ${hint}`, {
    code: status === 429 ? 'rate_limited' : 'provider_status',
    status,
  })
}

function parseJson({ body }: WebResponse): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    // Invalid JSON, so no results.
    return undefined
  }
}

/** Options for a search provider with an API key. */
export interface KeyOptions {
  /** The user's own API key, never one from a project's files. */
  readonly key: string
  /** Default: the public endpoint. */
  readonly url?: string | undefined
}
