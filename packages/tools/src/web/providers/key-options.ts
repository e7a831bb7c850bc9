/** Options of a search provider with an API key. */
export interface KeyOptions {
  /** The user's own API key, never one from a project's files. */
  readonly key: string
  /** Default: the public endpoint. */
  readonly url?: string | undefined
}
