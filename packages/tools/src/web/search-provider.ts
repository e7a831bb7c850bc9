import type { Web } from '../host/web.ts'

/** A search engine. */
export interface SearchProvider {
  /** As people call it. */
  readonly name: string
  /** What it finds, best first. What fails is a `ToolError`. */
  search(query: SearchQuery, options: SearchOptions): Promise<readonly SearchResult[]>
}

export interface SearchQuery {
  readonly query: string
  /** Hosts that are wanted, or not; at most one of the lists has any. An engine that cannot choose may ignore them. */
  readonly allowed: readonly string[]
  readonly blocked: readonly string[]
  readonly maxResults: number
}

export interface SearchOptions {
  readonly web: Web
  readonly signal: AbortSignal
}

export interface SearchResult {
  readonly title: string
  readonly url: string
  readonly snippet: string
}
