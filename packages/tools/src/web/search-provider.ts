import type { Web } from '../host/web.ts'

/** A search engine. */
export interface SearchProvider {
  /** Its name for users. */
  readonly name: string
  /** Returns results, best first. Failures are `ToolError`s. */
  search(query: SearchQuery, options: SearchOptions): Promise<readonly SearchResult[]>
}

/** What to search for. */
export interface SearchQuery {
  readonly query: string
  /** Domains to include or exclude; at most one of the lists is non-empty. A provider may ignore them. */
  readonly allowed: readonly string[]
  readonly blocked: readonly string[]
  readonly maxResults: number
}

/** What a provider needs to run a search. */
export interface SearchOptions {
  readonly web: Web
  readonly signal: AbortSignal
}

/** A page that was found. */
export interface SearchResult {
  readonly title: string
  readonly url: string
  readonly snippet: string
}
