/** A private folder for data that outlives a call. */
export interface Storage {
  /** Absolute path of an existing folder that no other user can read. */
  readonly folder: string
}
