/** What an engine needs that is paid for. */
export interface KeyOptions {
  /** A person's own; never from the files of a project. */
  readonly key: string
  /** Where it is asked, if not at its usual address. */
  readonly url?: string
}
